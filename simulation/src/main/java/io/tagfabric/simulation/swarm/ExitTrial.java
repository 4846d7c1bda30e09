package io.tagfabric.simulation.swarm;

import io.tagfabric.cluster.job.CodePolicy;
import io.tagfabric.exit.ExitKind;
import io.tagfabric.exit.ExitMessage;
import io.tagfabric.exit.ExitNotice;
import io.tagfabric.exit.ExitOutput;
import io.tagfabric.exit.ExitPhase;
import io.tagfabric.exit.ExitPlan;
import io.tagfabric.exit.ExitProtocol;
import io.tagfabric.exit.ExitResult;
import io.tagfabric.exit.Verdict;
import io.tagfabric.simulation.choice.Choices;
import io.tagfabric.simulation.world.Scheduler;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The end of a job of its own, with the real protocol of each rank: some ask to exit, one may be
 * killed or held up in a phase, messages are late or lost. All that are left must end, in time and
 * with one code.
 */
final class ExitTrial {
  private static final long MS = 1_000_000L;
  private static final long TIMEOUT_NS = 2_000 * MS;
  private static final long HOOKS_NS = 1_000 * MS;
  private static final int MOST_RANKS = 8;

  private final SeedRun run;
  private final Scheduler scheduler;
  private final Choices choices;
  private final List<Rank> ranks = new ArrayList<>();
  private final Map<Long, Integer> leaders = new HashMap<>();
  private final int lossPerMille;
  private final int mostDelayMs;
  private final ExitPhase hitIn;
  private final boolean hitKills;
  private boolean hit;

  /** One rank. */
  private final class Rank implements ExitOutput {
    final int number;
    final ExitProtocol protocol;
    final List<Runnable> held = new ArrayList<>();
    ExitResult result;
    int hookRuns;
    int led;
    boolean dead;
    boolean stopped;
    long timerNs = Long.MAX_VALUE;

    Rank(int number, int size) {
      this.number = number;
      protocol =
          new ExitProtocol(
              new ExitPlan(number, size, CodePolicy.MAX, TIMEOUT_NS, HOOKS_NS, 200 * MS, true),
              this);
    }

    @Override
    public void send(int to, ExitMessage message) {
      Violation.require(
          to != number, Invariant.EXIT, "rank %d writes to itself: %s", number, message);
      hitIfDue(this);
      if (dead) {
        return;
      }
      if (message instanceof ExitMessage.ExitRequest request
          && protocol.counters().exitRequest() > led) {
        led = protocol.counters().exitRequest();
        Integer other = leaders.putIfAbsent(request.epoch(), number);
        Violation.require(
            other == null || other == number,
            Invariant.EXIT,
            "epoch %d has the leaders %s and %d",
            request.epoch(),
            other,
            number);
      }
      run.trace().note(60, number, to, 0, () -> "exit    " + number + " -> " + to + " " + message);
      if (!choices.happens(lossPerMille)) {
        Rank there = ranks.get(to);
        scheduler.after(
            delayNs(), () -> there.take(() -> there.protocol.onMessage(number, message, nowNs())));
      }
    }

    @Override
    public void runHooks(ExitNotice notice) {
      hookRuns++;
      scheduler.after(choices.below(20) * MS, () -> take(() -> protocol.onHooksDone(nowNs())));
    }

    @Override
    public void end(ExitResult how) {
      Violation.require(result == null, Invariant.EXIT, "rank %d ends twice", number);
      result = how;
      run.trace().note(61, number, how.code(), 0, () -> "exit    rank " + number + " ends " + how);
      scheduler.after(300 * MS + delayNs(), () -> die(this, true));
    }

    void take(Runnable input) {
      if (dead) {
        return;
      }
      if (stopped) {
        held.add(input);
        return;
      }
      run.guarded(input);
      hitIfDue(this);
      long nextNs = protocol.nextNs();
      if (!dead && nextNs != Long.MAX_VALUE && nextNs != timerNs) {
        timerNs = nextNs;
        scheduler.at(Math.max(nextNs, nowNs()), () -> onTimer(nextNs));
      }
    }

    private void onTimer(long expectedNs) {
      if (timerNs == expectedNs) {
        timerNs = Long.MAX_VALUE;
        take(() -> protocol.onTime(nowNs()));
      }
    }
  }

  ExitTrial(SeedRun run) {
    this.run = run;
    scheduler = run.scheduler();
    choices = run.choices();
    int size = choices.between(2, MOST_RANKS);
    lossPerMille = choices.of(0, 0, 50);
    mostDelayMs = choices.of(20, 300);
    ExitPhase[] phases = ExitPhase.values();
    int phase = choices.below(phases.length + 1);
    hitIn = phase == 0 ? null : phases[phase - 1];
    hitKills = choices.below(2) == 0;
    for (int number = 0; number < size; number++) {
      ranks.add(new Rank(number, size));
    }
  }

  private long nowNs() {
    return scheduler.clock().nanoTime();
  }

  private long delayNs() {
    return 10_000 + choices.below(mostDelayMs) * MS;
  }

  /** Hits the first rank that comes to the phase, before it sends anything there. */
  private void hitIfDue(Rank rank) {
    if (hit || rank.protocol.phase() != hitIn || rank.protocol.phase() == ExitPhase.RUNNING) {
      return;
    }
    hit = true;
    run.trace()
        .note(62, rank.number, 0, 0, () -> "exit    hit rank " + rank.number + " in " + hitIn);
    run.probes().reachIf(hitIn == ExitPhase.LEADING, Probe.EXIT_LEADER_HIT);
    if (hitKills) {
      die(rank, false);
    } else {
      run.probes().reach(Probe.EXIT_HELD);
      rank.stopped = true;
      scheduler.after(TIMEOUT_NS + choices.below(2_000) * MS, () -> resume(rank));
    }
  }

  private static void resume(Rank rank) {
    rank.stopped = false;
    List<Runnable> late = List.copyOf(rank.held);
    rank.held.clear();
    late.forEach(rank::take);
  }

  private void die(Rank rank, boolean orderly) {
    if (rank.dead) {
      return;
    }
    rank.dead = true;
    for (Rank other : ranks) {
      if (other != rank) {
        scheduler.after(
            choices.below(500) * MS,
            () -> other.take(() -> other.protocol.onGone(rank.number, orderly, nowNs())));
      }
    }
  }

  /** Runs it to its end. */
  void run() {
    long beginNs = nowNs() + 100 * MS;
    ranks.forEach(rank -> rank.take(rank.protocol::onFormed));
    if (choices.below(5) == 4) {
      leaveInOrder();
      return;
    }
    int asking = choices.between(1, 3);
    run.probes().reachIf(asking > 1, Probe.EXIT_TWO_ASKED);
    ExitKind[] kinds = {ExitKind.NOW, ExitKind.TOGETHER, ExitKind.SIGNAL};
    for (int i = 0; i < asking; i++) {
      Rank rank = ranks.get(choices.below(ranks.size()));
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
    if (choices.below(3) == 2) {
      Rank rank = ranks.get(choices.below(ranks.size()));
      scheduler.at(beginNs + choices.below(4_000) * MS, () -> die(rank, false));
    }
    long limitNs = beginNs + 20 * TIMEOUT_NS + 2 * HOOKS_NS;
    boolean ended =
        scheduler.runUntil(
            () -> ranks.stream().allMatch(rank -> rank.dead || rank.result != null), limitNs);
    Violation.require(ended, Invariant.EXIT, "ranks that do not end: %s", unended());
    scheduler.runUntilQuiet(limitNs + 20 * TIMEOUT_NS);
    requireAgreement();
  }

  /** One rank leaves by its own will while nobody ends: the others go on. */
  private void leaveInOrder() {
    Rank leaving = ranks.get(choices.below(ranks.size()));
    die(leaving, true);
    scheduler.runUntilQuiet(nowNs() + 20 * TIMEOUT_NS);
    for (Rank rank : ranks) {
      Violation.require(
          rank == leaving || !rank.protocol.hasBegun(),
          Invariant.EXIT,
          "rank %d ends because rank %d has left by its own will",
          rank.number,
          leaving.number);
    }
  }

  private List<Integer> unended() {
    return ranks.stream()
        .filter(rank -> !rank.dead && rank.result == null)
        .map(rank -> rank.number)
        .toList();
  }

  private void requireAgreement() {
    Set<Integer> codes = new TreeSet<>();
    for (Rank rank : ranks) {
      if (rank.result == null) {
        continue;
      }
      Violation.require(
          rank.hookRuns == 1,
          Invariant.EXIT,
          "rank %d has run its hooks %d times",
          rank.number,
          rank.hookRuns);
      if (rank.result.graceful()) {
        codes.add(rank.result.code());
      }
    }
    // One that has ended may be the only one that knew a code, if it was held up or killed in the
    // midst of it, or if what it has told others is lost.
    Violation.require(
        hit || lossPerMille > 0 || codes.size() <= 1,
        Invariant.EXIT,
        "ranks have ended in time with the codes %s",
        codes);
  }
}
