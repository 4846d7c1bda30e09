package io.tagfabric.simulation.swarm;

import io.tagfabric.exit.ExitKind;
import io.tagfabric.exit.ExitMessage;
import io.tagfabric.exit.ExitPhase;
import io.tagfabric.exit.ExitResult;
import io.tagfabric.exit.Verdict;
import io.tagfabric.simulation.choice.Choices;
import io.tagfabric.simulation.world.Scheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The end of a job of its own, with the real protocol of each rank: some ask to exit, one may be
 * killed or stop in a phase and in the midst of what it sends there, one may leave by its own will,
 * some may be cut off for a while, messages are late, doubled or lost, and each rank learns by
 * itself, sooner or later, who is gone. All that are left must end, in time and with one code.
 */
final class ExitTrial {
  private static final long MS = 1_000_000L;
  static final long TIMEOUT_NS = 2_000 * MS;
  static final long HOOKS_NS = 1_000 * MS;
  static final long AGAIN_NS = 200 * MS;

  private final SeedRun run;
  private final Scheduler scheduler;
  private final Choices choices;
  private final ExitMix mix;
  private final ExitLaws laws = new ExitLaws();
  private final List<ExitRank> ranks = new ArrayList<>();
  private final Set<Integer> cutOff = new TreeSet<>();
  private boolean hit;
  private int sentThere;

  ExitTrial(SeedRun run) {
    this.run = run;
    scheduler = run.scheduler();
    choices = run.choices();
    mix = new ExitMix(choices);
    for (int number = 0; number < mix.size; number++) {
      ranks.add(new ExitRank(number, this, mix.size));
    }
  }

  // ---- what ranks need ----

  long nowNs() {
    return scheduler.clock().nanoTime();
  }

  void at(long timeNs, Runnable action) {
    scheduler.at(Math.max(timeNs, nowNs()), action);
  }

  void guarded(Runnable input) {
    run.guarded(input);
  }

  void startHooks(ExitRank rank) {
    scheduler.after(
        choices.below(20) * MS, () -> rank.take(() -> rank.protocol.onHooksDone(nowNs())));
  }

  void ended(ExitRank rank, ExitResult how) {
    run.trace()
        .note(61, rank.number, how.code(), 0, () -> "exit    rank " + rank.number + " ends " + how);
    scheduler.after(300 * MS + delayNs(), () -> die(rank, true));
  }

  /** A message leaves. */
  void carry(ExitRank from, int to, ExitMessage message) {
    Violation.require(
        to != from.number, Invariant.EXIT, "rank %d writes to itself: %s", from.number, message);
    laws.sent(from, message);
    run.trace()
        .note(60, from.number, to, 0, () -> "exit    " + from.number + " -> " + to + " " + message);
    deliver(from, to, message);
    if (choices.happens(mix.duplicatePerMille)) {
      deliver(from, to, message);
    }
  }

  private void deliver(ExitRank from, int to, ExitMessage message) {
    if (choices.happens(mix.lossPerMille) || areApart(from.number, to)) {
      return;
    }
    ExitRank there = ranks.get(to);
    long lateNs = choices.happens(mix.latePerMille) ? choices.below(4_000) * MS : 0;
    scheduler.after(delayNs() + lateNs, () -> there.take(() -> read(there, from.number, message)));
  }

  private void read(ExitRank rank, int from, ExitMessage message) {
    boolean wasOver = rank.isOver();
    long promised = laws.promisedBy(rank);
    rank.protocol.onMessage(from, message, nowNs());
    if (message instanceof ExitMessage.ExitRequest order) {
      laws.obeyed(rank, wasOver, promised, order);
    }
  }

  private boolean areApart(int one, int other) {
    return cutOff.contains(one) != cutOff.contains(other);
  }

  private long delayNs() {
    return 10_000 + choices.below(mix.mostDelayMs) * MS;
  }

  // ---- what goes wrong ----

  void beforeSend(ExitRank rank) {
    if (isDue(rank) && sentThere++ >= mix.hitAfter) {
      hit(rank);
    }
  }

  void afterInput(ExitRank rank) {
    if (isDue(rank) && mix.hitAfter == 0) {
      hit(rank);
    }
    if (!cutOff.isEmpty()) {
      laws.hit(rank);
    }
  }

  private boolean isDue(ExitRank rank) {
    return !hit && mix.hitIn != null && rank.protocol.phase() == mix.hitIn;
  }

  private void hit(ExitRank rank) {
    hit = true;
    run.trace()
        .note(62, rank.number, 0, 0, () -> "exit    hit rank " + rank.number + " in " + mix.hitIn);
    run.probes().reachIf(mix.hitIn == ExitPhase.LEADING, Probe.EXIT_LEADER_HIT);
    if (mix.hitKills) {
      die(rank, false);
    } else {
      run.probes().reach(Probe.EXIT_HELD);
      laws.hit(rank);
      rank.stop();
      scheduler.after(
          TIMEOUT_NS / 4 + choices.below(4_000) * MS, () -> rank.resume(choices.below(2) == 1));
    }
  }

  private void die(ExitRank rank, boolean orderly) {
    if (!rank.die()) {
      return;
    }
    if (!orderly) {
      laws.hit(rank);
    }
    run.trace().note(63, rank.number, orderly ? 1 : 0, 0, () -> "exit    no rank " + rank.number);
    for (ExitRank other : ranks) {
      if (other != rank) {
        // Who is cut off is not told of a departure: for it the rank is lost.
        boolean isTold = orderly && !areApart(rank.number, other.number);
        scheduler.after(
            choices.below(mix.mostNoticeMs) * MS,
            () -> other.take(() -> other.protocol.onGone(rank.number, isTold, nowNs())));
      }
    }
  }

  private void cut() {
    int lonely = choices.between(1, Math.max(1, mix.size / 2));
    for (int i = 0; i < lonely; i++) {
      cutOff.add(choices.below(mix.size));
    }
    run.trace().note(64, cutOff.hashCode(), 0, 0, () -> "exit    ranks " + cutOff + " are cut off");
    ranks.stream().filter(rank -> !rank.isDead()).forEach(laws::hit);
    run.probes().reach(Probe.EXIT_CUT);
    scheduler.after(mix.cutMs * MS, cutOff::clear);
  }

  private ExitRank anyRank() {
    return ranks.get(choices.below(ranks.size()));
  }

  // ---- the run ----

  /** Runs it to its end. */
  void run() {
    long beginNs = nowNs() + 100 * MS;
    ranks.forEach(rank -> rank.take(rank.protocol::onFormed));
    if (choices.below(5) == 4) {
      leaveInOrder();
      return;
    }
    askToExit(beginNs);
    if (choices.below(3) == 2) {
      ExitRank rank = anyRank();
      scheduler.at(beginNs + choices.below(4_000) * MS, () -> die(rank, false));
    }
    if (mix.leaves) {
      ExitRank rank = anyRank();
      scheduler.at(beginNs + choices.below(1_000) * MS, () -> leave(rank));
    }
    if (mix.cutMs > 0) {
      scheduler.at(beginNs + choices.below(2_000) * MS, this::cut);
    }
    long limitNs = beginNs + 20 * TIMEOUT_NS + 2 * HOOKS_NS;
    boolean ended =
        scheduler.runUntil(
            () -> ranks.stream().allMatch(rank -> rank.isDead() || rank.result() != null), limitNs);
    Violation.require(
        ended || mayBeUntold(), Invariant.EXIT, "ranks that do not end: %s", unended());
    scheduler.runUntilQuiet(limitNs + 20 * TIMEOUT_NS);
    run.probes().reachIf(laws.leaders() > 1, Probe.EXIT_TWO_LEADERS);
    laws.requireAgreement(ranks, mix.isSlow());
  }

  private void askToExit(long beginNs) {
    int asking = choices.between(1, 3);
    run.probes().reachIf(asking > 1, Probe.EXIT_TWO_ASKED);
    ExitKind[] kinds = {ExitKind.NOW, ExitKind.TOGETHER, ExitKind.SIGNAL};
    for (int i = 0; i < asking; i++) {
      ExitRank rank = anyRank();
      ExitKind kind = kinds[choices.below(kinds.length)];
      int code = 1 + choices.below(200);
      scheduler.at(
          beginNs + choices.below(i == 0 ? 1 : 2_000) * MS,
          () ->
              rank.take(
                  () ->
                      rank.protocol.exit(
                          kind, new Verdict(code, nowNs() / MS, rank.number), nowNs())));
    }
  }

  /** A rank whose program is over leaves, if nobody has told it yet of the end. */
  private void leave(ExitRank rank) {
    if (!rank.protocol.hasBegun() && !rank.isDead()) {
      rank.take(rank.protocol::onLeaving);
      die(rank, true);
    }
  }

  /** One rank leaves by its own will while nobody ends: the others go on. */
  private void leaveInOrder() {
    ExitRank leaving = anyRank();
    leave(leaving);
    scheduler.runUntilQuiet(nowNs() + 20 * TIMEOUT_NS);
    for (ExitRank rank : ranks) {
      Violation.require(
          rank == leaving || !rank.protocol.hasBegun(),
          Invariant.EXIT,
          "rank %d ends because rank %d has left by its own will",
          rank.number,
          leaving.number);
    }
  }

  /**
   * Whether the ranks that are left may never be told to end. A rank that ends as a last resort, as
   * a leader does that was held up, sends its order once and does not wait for answers. If messages
   * are lost, that order may not arrive; the launcher or the cluster ends the other ranks then.
   */
  private boolean mayBeUntold() {
    return mix.lossPerMille > 0
        && ranks.stream().anyMatch(rank -> rank.result() != null && !rank.result().graceful())
        && ranks.stream().noneMatch(rank -> rank.result() == null && rank.protocol.hasBegun());
  }

  private List<Integer> unended() {
    return ranks.stream()
        .filter(rank -> !rank.isDead() && rank.result() == null)
        .map(rank -> rank.number)
        .toList();
  }
}
