package io.tagfabric.exit;

import io.tagfabric.cluster.job.ExitCode;
import java.util.ArrayList;
import java.util.List;

/**
 * The end of a job, seen by one rank. Plain: told what happens and what time it is, says what to
 * send. Single writer: whoever owns it.
 *
 * <p>A rank asks the lowest rank that lives to be made the leader, and the next one if it stays
 * silent for T / 8; after T / 2 it elects itself. Epochs keep leaders apart whom different electors
 * named: a leader that hears of a higher epoch obeys it. An elector that hears nothing of its
 * leader for T takes the matter up itself, so no rank that was told of the end goes on for ever.
 *
 * @source GASNet 1.8.1 (gasnet_exit); ibv-conduit README, "Graceful exits"
 */
public final class ExitProtocol {
  private static final long NEVER = Deadlines.NEVER;

  private final ExitPlan plan;
  private final ExitOutput output;
  private final Elector elector;
  private final Reduction reduction;
  private final RankSets ranks;
  private final ExitMail mail;
  private final Deadlines at = new Deadlines();
  private final List<Integer> rejected = new ArrayList<>();

  private ExitPhase phase = ExitPhase.RUNNING;
  private boolean formed;
  private Verdict verdict;
  private Verdict heard;
  private long epoch = -1;
  private int asked = -1;
  private int leader = -1;
  private boolean hooksRun;
  private boolean hooksOverran;
  private boolean graceful;
  private List<Integer> unanswered = List.of();
  private Verdict inherited;

  /** A rank that runs and knows where rank 0 is. */
  public ExitProtocol(ExitPlan plan, ExitOutput output) {
    this.plan = plan;
    this.output = output;
    elector = new Elector(plan.rank(), plan.size());
    reduction = new Reduction(plan.rank());
    ranks = new RankSets(plan.rank(), plan.size());
    mail = new ExitMail(output);
  }

  /** Whether the end has begun, here or elsewhere. */
  public boolean hasBegun() {
    return phase != ExitPhase.RUNNING;
  }

  /** What this rank has sent so far. */
  public ExitCounters counters() {
    return mail.counters();
  }

  /** When {@link #onTime} wants to be called next; {@link Long#MAX_VALUE} for never. */
  public long nextNs() {
    return at.nextNs();
  }

  /** All ranks have met, so all are reachable. */
  public void onFormed() {
    formed = true;
    ranks.knowAll();
  }

  /** Another rank has become reachable before all have met. */
  public void onKnown(int rank) {
    ranks.know(rank);
    if (phase == ExitPhase.LEADING) {
      mail.send(rank, order());
    } else if (phase.isOver()) {
      tellLate(rank);
    }
  }

  /**
   * This rank asks for the end.
   *
   * @return whether its code counts, so false if another one was first
   */
  public boolean exit(ExitKind kind, Verdict wanted, long nowNs) {
    if (phase == ExitPhase.ASKING && kind != ExitKind.SIGNAL) {
      verdict = wanted;
      return true;
    }
    if (hasBegun()) {
      rejected.add(wanted.code());
      return false;
    }
    verdict = heard == null ? wanted : wanted.merge(heard, plan.policy());
    startHooks(kind, nowNs);
    if (kind == ExitKind.SIGNAL) {
      phase = ExitPhase.ASKING;
    } else if (kind == ExitKind.TOGETHER && formed && !elector.hasNamed()) {
      reduce(nowNs);
    } else {
      elect(nowNs);
    }
    return true;
  }

  /** The exit hooks are over. */
  public void onHooksDone(long nowNs) {
    if (!hooksRun || at.hooksNs == NEVER) {
      return;
    }
    at.hooksNs = NEVER;
    if (phase == ExitPhase.ASKING) {
      elect(nowNs);
    } else if (phase == ExitPhase.DECIDED) {
      end();
    }
  }

  /** A message of another rank has arrived. */
  public void onMessage(int from, ExitMessage message, long nowNs) {
    ranks.know(from);
    if (message instanceof ExitMessage.Reduce reduce) {
      onReduce(from, reduce);
    } else if (message instanceof ExitMessage.ElectRequest request) {
      onElectRequest(from, request, nowNs);
    } else if (message instanceof ExitMessage.ElectReply reply) {
      onElectReply(from, reply, nowNs);
    } else if (message instanceof ExitMessage.ExitRequest request) {
      onExitRequest(from, request, nowNs);
    } else if (message instanceof ExitMessage.ExitReply reply) {
      onExitReply(from, reply, nowNs);
    }
  }

  /**
   * A rank will not answer any more.
   *
   * @param orderly whether it left by its own will
   */
  public void onGone(int rank, boolean orderly, long nowNs) {
    if (!ranks.lose(rank)) {
      return;
    }
    if (elector.leader() == rank) {
      elector.withdraw();
      at.takeUpNs = Math.min(at.takeUpNs, nowNs);
    }
    switch (phase) {
      case RUNNING -> {
        if (!orderly && plan.abortOnLoss() && at.takeUpNs == NEVER) {
          at.takeUpNs = nowNs + plan.timeoutNs();
        }
      }
      case REDUCING -> restartReduction(nowNs);
      case ELECTING -> {
        if (asked == rank) {
          ask(ranks.lowest(rank + 1), nowNs);
        }
      }
      case FOLLOWING -> {
        if (leader == rank) {
          elect(nowNs);
        }
      }
      case LEADING -> finishLeading(nowNs);
      default -> at.phaseNs = NEVER;
    }
  }

  /** Some time has passed. */
  public void onTime(long nowNs) {
    if (nowNs >= at.takeUpNs) {
      takeUp(nowNs);
    }
    if (nowNs >= at.hooksNs) {
      hooksOverran = true;
      onHooksDone(nowNs);
    }
    if (nowNs >= at.finalNs) {
      giveUp();
    } else if (nowNs >= at.phaseNs) {
      onPhaseEnd(nowNs);
    } else if (nowNs >= at.againNs) {
      sendAgain(nowNs);
    }
  }

  private void onPhaseEnd(long nowNs) {
    switch (phase) {
      case REDUCING -> elect(nowNs);
      case ELECTING -> ask(nowNs >= at.electionNs ? plan.rank() : ranks.lowest(asked + 1), nowNs);
      case FOLLOWING -> {
        elector.withdraw();
        ask(plan.rank(), nowNs);
      }
      default -> at.phaseNs = NEVER;
    }
  }

  /** The leader this rank has named is silent, or a rank is lost: this one sees to the end. */
  private void takeUp(long nowNs) {
    at.takeUpNs = NEVER;
    if (phase == ExitPhase.RUNNING) {
      elector.withdraw();
      Verdict own = new Verdict(ExitCode.FAILED, 0, plan.rank());
      exit(ExitKind.NOW, inherited == null ? own : inherited, nowNs);
    }
  }

  private void startHooks(ExitKind kind, long nowNs) {
    if (!hooksRun) {
      hooksRun = true;
      at.hooksNs = nowNs + plan.hooksNs();
      output.runHooks(new ExitNotice(verdict.code(), verdict.rank(), kind));
    }
  }

  private void reduce(long nowNs) {
    phase = ExitPhase.REDUCING;
    at.finalNs = nowNs + 2 * plan.timeoutNs();
    at.phaseNs = nowNs + plan.timeoutNs();
    restartReduction(nowNs);
  }

  private void restartReduction(long nowNs) {
    reduction.begin(ranks.left());
    at.againNs = nowNs + plan.againNs();
    stepReduction();
  }

  private void stepReduction() {
    if (reduction.step(mail, verdict)) {
      decide(true);
    }
  }

  private void onReduce(int from, ExitMessage.Reduce reduce) {
    if (phase.isOver() || phase == ExitPhase.LEADING) {
      tellLate(from);
      return;
    }
    reduction.hear(reduce.view(), reduce.round());
    heard = heard == null ? reduce.verdict() : heard.merge(reduce.verdict(), plan.policy());
    if (phase == ExitPhase.REDUCING) {
      verdict = verdict.merge(heard, plan.policy());
      stepReduction();
    }
  }

  private void elect(long nowNs) {
    at.finalNs = at.finalNs == NEVER ? nowNs + plan.timeoutNs() : at.finalNs;
    at.electionNs = nowNs + plan.electionNs();
    if (elector.hasNamed()) {
      leader = elector.leader();
      follow(nowNs);
    } else {
      ask(ranks.lowest(0), nowNs);
    }
  }

  private void ask(int candidate, long nowNs) {
    phase = ExitPhase.ELECTING;
    leader = -1;
    asked = candidate;
    boolean unformed = !formed && plan.rank() != 0;
    at.phaseNs = unformed && candidate == 0 ? at.electionNs : nowNs + plan.electorNs();
    at.againNs = nowNs + plan.againNs();
    ExitMessage.ElectRequest request = new ExitMessage.ElectRequest(!unformed, verdict);
    if (candidate != plan.rank()) {
      mail.send(candidate, request);
      return;
    }
    mail.count(request);
    ExitMessage.ElectReply reply = elector.elect(plan.rank());
    mail.count(reply);
    onElectReply(plan.rank(), reply, nowNs);
  }

  private void onElectRequest(int from, ExitMessage.ElectRequest request, long nowNs) {
    if (ranks.isGone(from)) {
      return;
    }
    if (phase.isOver()) {
      tellLate(from);
      return;
    }
    if (phase == ExitPhase.LEADING) {
      mail.send(from, new ExitMessage.ElectReply(epoch, plan.rank()));
      return;
    }
    int candidate = request.knowsAll() ? from : plan.rank();
    ExitMessage.ElectReply reply = elector.elect(candidate);
    mail.send(from, reply);
    if (reply.leader() == plan.rank()) {
      obeyOwnElection(request, reply.epoch(), nowNs);
    } else if (phase == ExitPhase.RUNNING) {
      at.takeUpNs = Math.min(at.takeUpNs, nowNs + plan.timeoutNs());
      inherited = request.verdict();
    } else if (phase == ExitPhase.REDUCING) {
      elect(nowNs);
    }
  }

  /** A rank that does not know all others leaves it to this one, which does. */
  private void obeyOwnElection(ExitMessage.ElectRequest request, long ofEpoch, long nowNs) {
    if (!hasBegun()) {
      verdict = request.verdict();
      startHooks(ExitKind.NOW, nowNs);
    }
    at.finalNs = at.finalNs == NEVER ? nowNs + plan.timeoutNs() : at.finalNs;
    lead(ofEpoch, nowNs);
  }

  private void onElectReply(int from, ExitMessage.ElectReply reply, long nowNs) {
    if (phase != ExitPhase.ELECTING || from != asked || ranks.isGone(reply.leader())) {
      return;
    }
    if (reply.leader() == plan.rank()) {
      lead(reply.epoch(), nowNs);
    } else {
      leader = reply.leader();
      follow(nowNs);
    }
  }

  private void follow(long nowNs) {
    phase = ExitPhase.FOLLOWING;
    at.phaseNs = nowNs + plan.electionNs();
    at.againNs = NEVER;
  }

  private void lead(long ofEpoch, long nowNs) {
    phase = ExitPhase.LEADING;
    epoch = ofEpoch;
    leader = plan.rank();
    at.phaseNs = NEVER;
    at.takeUpNs = NEVER;
    at.againNs = nowNs + plan.againNs();
    ranks.others().forEach(rank -> mail.send(rank, order()));
    finishLeading(nowNs);
  }

  private void finishLeading(long nowNs) {
    if (ranks.unanswered().findAny().isEmpty()) {
      decide(true);
    } else {
      at.againNs = Math.max(at.againNs, nowNs);
    }
  }

  private void onExitRequest(int from, ExitMessage.ExitRequest request, long nowNs) {
    boolean stale = phase == ExitPhase.LEADING && epoch > request.epoch();
    epoch = Math.max(epoch, request.epoch());
    mail.send(from, new ExitMessage.ExitReply(epoch));
    if (stale || phase.isOver()) {
      return;
    }
    verdict = request.verdict();
    startHooks(ExitKind.NOW, nowNs);
    decide(true);
  }

  private void onExitReply(int from, ExitMessage.ExitReply reply, long nowNs) {
    if (phase != ExitPhase.LEADING) {
      return;
    }
    if (reply.epoch() > epoch) {
      leader = -1;
      follow(nowNs);
      return;
    }
    ranks.reply(from);
    finishLeading(nowNs);
  }

  private ExitMessage.ExitRequest order() {
    return new ExitMessage.ExitRequest(epoch, verdict);
  }

  /** The end was decided without this rank's being told. */
  private void tellLate(int rank) {
    mail.again(rank, order());
  }

  private void sendAgain(long nowNs) {
    at.againNs = nowNs + plan.againNs();
    switch (phase) {
      case REDUCING -> reduction.again(mail, verdict);
      case ELECTING ->
          mail.again(asked, new ExitMessage.ElectRequest(formed || plan.rank() == 0, verdict));
      case LEADING -> ranks.unanswered().forEach(rank -> mail.again(rank, order()));
      default -> at.againNs = NEVER;
    }
  }

  /**
   * The time is over. All who have not answered are told once more: perhaps it was this rank that
   * was held up, and nobody else knows.
   */
  private void giveUp() {
    ranks.unanswered().forEach(rank -> mail.again(rank, order()));
    decide(false);
  }

  private void decide(boolean inTime) {
    if (phase.isOver()) {
      return;
    }
    graceful = inTime;
    unanswered = phase == ExitPhase.LEADING ? ranks.unanswered().boxed().toList() : List.of();
    phase = ExitPhase.DECIDED;
    at.clearButHooks();
    if (at.hooksNs == NEVER) {
      end();
    }
  }

  private void end() {
    phase = ExitPhase.ENDED;
    output.end(
        new ExitResult(
            verdict.code(),
            verdict.rank(),
            graceful,
            unanswered,
            List.copyOf(rejected),
            hooksOverran,
            mail.counters()));
  }
}
