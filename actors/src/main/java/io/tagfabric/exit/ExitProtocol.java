package io.tagfabric.exit;

import static io.tagfabric.exit.Deadlines.NEVER;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.cluster.job.ExitCode;
import java.util.List;

/**
 * The end of a job, seen by one rank. Plain: told what happens and what time it is, says what to
 * send. Single writer: its owner.
 *
 * <p>A rank asks the lowest rank that lives to be made the leader, and the next one if it stays
 * silent for T / 8; after T / 2 it elects itself. Epochs keep leaders apart whom different electors
 * named: a leader that hears of a higher epoch obeys it. An elector that hears nothing of its
 * leader for T takes the matter up itself, so no rank that was told of the end goes on for ever.
 *
 * <p>All end with one code as long as a leader hears, before it orders, of the orders of others: it
 * asks all, and orders the code of the latest order that one of them ends by. The first leader of
 * all, that of epoch 0, need not ask.
 *
 * @source GASNet 1.8.1 (gasnet_exit); ibv-conduit README, "Graceful exits"
 */
@InternalApi
public final class ExitProtocol {
  private final ExitPlan plan;
  private final ExitOutput output;
  private final Elector elector;
  private final ExitReduction reduction;
  private final RankSets ranks;
  private final ExitMail mail;
  private final Deadlines at = new Deadlines();
  private final HookRun hooks = new HookRun();
  private final Verdicts verdicts;
  private final ExitOrders orders;
  private final Preparation preparation;

  private ExitPhase phase = ExitPhase.RUNNING;
  private boolean formed;
  private boolean leaving;
  private int asked = -1;
  private int leader = -1;
  private boolean reduced;
  private boolean heldUp;
  private boolean graceful;
  private List<Integer> unanswered = List.of();

  /** A rank that runs and knows where rank 0 is. */
  public ExitProtocol(ExitPlan plan, ExitOutput output) {
    this.plan = plan;
    this.output = output;
    elector = new Elector(plan.rank(), plan.size());
    reduction = new ExitReduction(plan.rank());
    ranks = new RankSets(plan.rank(), plan.size());
    mail = new ExitMail(output);
    verdicts = new Verdicts(plan.policy());
    orders = new ExitOrders(ranks, mail, verdicts);
    preparation = new Preparation(ranks, mail, orders, verdicts);
  }

  /** Whether the end has begun, here or elsewhere. */
  public boolean hasBegun() {
    return phase != ExitPhase.RUNNING;
  }

  /** How far the end has come. */
  public ExitPhase phase() {
    return phase;
  }

  /** What this rank has sent so far. */
  public ExitCounters counters() {
    return mail.counters();
  }

  /** When {@link #onTime} wants to be called next; {@link Long#MAX_VALUE} for never. */
  public long nextNs() {
    return Math.min(at.nextNs(), hooks.deadlineNs());
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
      orders.tell(rank);
    } else if (phase == ExitPhase.PREPARING) {
      preparation.ask(rank);
    } else if (phase.isOver()) {
      orders.repeat(rank);
    }
  }

  /**
   * This rank asks for the end.
   *
   * @return whether its code counts, so false if another one was first
   */
  public boolean exit(ExitKind kind, Verdict wanted, long nowNs) {
    if (phase == ExitPhase.ASKING && kind != ExitKind.SIGNAL) {
      verdicts.take(wanted);
      return true;
    }
    if (hasBegun()) {
      verdicts.reject(wanted);
      return false;
    }
    verdicts.want(wanted);
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
    if (!hooks.end()) {
      return;
    }
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
    } else if (message instanceof ExitMessage.Prepare prepare) {
      onPrepare(from, prepare, nowNs);
    } else if (message instanceof ExitMessage.Promise promise) {
      onPromise(from, promise, nowNs);
    } else if (message instanceof ExitMessage.ExitRequest request) {
      onExitRequest(from, request, nowNs);
    } else if (message instanceof ExitMessage.ExitReply reply) {
      onExitReply(from, reply, nowNs);
    }
  }

  /**
   * This rank has done its work and leaves the job by itself. What it has lost before, or loses
   * now, is no reason any more to end the job.
   */
  public void onLeaving() {
    leaving = true;
    at.abortNs = NEVER;
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
        if (!orderly && plan.abortOnLoss() && !leaving) {
          at.abortNs = Math.min(at.abortNs, nowNs + plan.timeoutNs());
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
      case PREPARING -> finishPreparing(nowNs);
      case LEADING -> finishLeading();
      default -> at.phaseNs = NEVER;
    }
  }

  /** Some time has passed. */
  public void onTime(long nowNs) {
    if (!heldUp && at.areMissed(nowNs - plan.lateNs())) {
      // It was this rank that was held up: what others have told meanwhile is still to be read.
      heldUp = true;
      at.postpone(nowNs + plan.electorNs());
    }
    if (nowNs >= at.beginNs()) {
      takeUp(nowNs);
    }
    if (hooks.overrun(nowNs)) {
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
      case PREPARING -> order(nowNs);
      default -> at.phaseNs = NEVER;
    }
  }

  private void giveUp() {
    if (phase == ExitPhase.PREPARING) {
      orders.accept(orders.epoch());
    } else if (!orders.hasAccepted()) {
      orders.accept(ExitOrders.LAST_RESORT);
    }
    // Perhaps it was this rank that was held up, and nobody else knows.
    orders.repeatToSilent();
    decide(false);
  }

  /** The leader this rank has named is silent, or a rank is lost: this one sees to the end. */
  private void takeUp(long nowNs) {
    ExitKind kind = nowNs >= at.takeUpNs ? ExitKind.NOW : ExitKind.LOSS;
    at.takeUpNs = NEVER;
    at.abortNs = NEVER;
    if (phase == ExitPhase.RUNNING) {
      elector.withdraw();
      Verdict own = new Verdict(ExitCode.FAILED, 0, plan.rank());
      exit(kind, verdicts.inheritedOr(own), nowNs);
    }
  }

  private void startHooks(ExitKind kind, long nowNs) {
    hooks.begin(nowNs + plan.hooksNs(), () -> output.runHooks(verdicts.notice(kind)));
  }

  private void reduce(long nowNs) {
    phase = ExitPhase.REDUCING;
    reduced = true;
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
    if (reduction.step(mail, verdicts.current())) {
      orders.accept(ExitOrders.REDUCTION);
      decide(true);
    }
  }

  private void onReduce(int from, ExitMessage.Reduce reduce) {
    if (phase.isOver() || phase == ExitPhase.LEADING) {
      orders.repeat(from);
      return;
    }
    reduction.hear(reduce.view(), reduce.round());
    verdicts.hear(reduce.verdict());
    if (phase == ExitPhase.REDUCING) {
      verdicts.mergeHeard();
      stepReduction();
    }
  }

  private void elect(long nowNs) {
    at.finalNs = at.finalNs == NEVER ? nowNs + plan.timeoutNs() : at.finalNs;
    at.electionNs = nowNs + plan.electionNs();
    if (elector.hasNamed()) {
      follow(elector.leader(), nowNs);
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
    ExitMessage.ElectRequest request = new ExitMessage.ElectRequest(!unformed, verdicts.current());
    if (candidate != plan.rank()) {
      mail.send(candidate, request);
    } else {
      onElectReply(plan.rank(), elector.electSelf(request, mail, orders.epoch()), nowNs);
    }
  }

  private void onElectRequest(int from, ExitMessage.ElectRequest request, long nowNs) {
    if (ranks.isGone(from)) {
      return;
    } else if (phase.isOver()) {
      orders.repeat(from);
      return;
    } else if (phase == ExitPhase.LEADING || phase == ExitPhase.PREPARING) {
      mail.send(from, new ExitMessage.ElectReply(orders.epoch(), plan.rank()));
      return;
    }
    ExitMessage.ElectReply reply =
        elector.elect(request.knowsAll() ? from : plan.rank(), orders.epoch());
    mail.send(from, reply);
    if (reply.leader() == plan.rank()) {
      obeyOwnElection(request, reply.epoch(), nowNs);
    } else if (phase == ExitPhase.RUNNING) {
      at.takeUpNs = Math.min(at.takeUpNs, nowNs + plan.timeoutNs());
      verdicts.inherit(request.verdict());
    } else if (phase == ExitPhase.REDUCING) {
      elect(nowNs);
    }
  }

  /** A rank that does not know all others leaves it to this one, which does. */
  private void obeyOwnElection(ExitMessage.ElectRequest request, long ofEpoch, long nowNs) {
    if (!hasBegun()) {
      verdicts.take(request.verdict());
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
      follow(reply.leader(), nowNs);
    }
  }

  /** Waits for the order of a leader, -1 for one that others know. */
  private void follow(int whom, long nowNs) {
    phase = ExitPhase.FOLLOWING;
    leader = whom;
    at.phaseNs = nowNs + plan.electionNs();
    at.againNs = NEVER;
  }

  private void lead(long ofEpoch, long nowNs) {
    if (orders.epoch() > ofEpoch) {
      follow(-1, nowNs);
      return;
    }
    orders.raise(ofEpoch);
    leader = plan.rank();
    at.takeUpNs = NEVER;
    if (ofEpoch == 0 && !reduced) {
      order(nowNs);
    } else {
      phase = ExitPhase.PREPARING;
      at.phaseNs = plan.preparedNs(nowNs, at.finalNs);
      at.againNs = nowNs + plan.againNs();
      preparation.begin();
      finishPreparing(nowNs);
    }
  }

  private void finishPreparing(long nowNs) {
    if (preparation.isDone()) {
      order(nowNs);
    }
  }

  private void order(long nowNs) {
    phase = ExitPhase.LEADING;
    orders.accept(orders.epoch());
    at.phaseNs = NEVER;
    at.againNs = nowNs + plan.againNs();
    ranks.others().forEach(orders::tell);
    finishLeading();
  }

  private void onPrepare(int from, ExitMessage.Prepare prepare, long nowNs) {
    if (ranks.isGone(from)) {
      return;
    }
    boolean refused = orders.epoch() > prepare.epoch();
    orders.raise(prepare.epoch());
    mail.send(from, orders.promise(prepare));
    if (refused) {
      return;
    }
    switch (phase) {
      case RUNNING -> {
        at.takeUpNs = Math.min(at.takeUpNs, nowNs + plan.timeoutNs());
        verdicts.inherit(prepare.verdict());
      }
      case REDUCING, ELECTING, FOLLOWING, PREPARING, LEADING -> follow(from, nowNs);
      default -> {}
    }
  }

  private void onPromise(int from, ExitMessage.Promise promise, long nowNs) {
    if (phase != ExitPhase.PREPARING || promise.epoch() < orders.epoch()) {
      return;
    }
    if (promise.epoch() > orders.epoch()) {
      stepBack(promise.epoch(), nowNs);
      return;
    }
    preparation.hear(from, promise);
    finishPreparing(nowNs);
  }

  private void stepBack(long forEpoch, long nowNs) {
    orders.raise(forEpoch);
    follow(-1, nowNs);
  }

  private void finishLeading() {
    if (ranks.unanswered().findAny().isEmpty()) {
      decide(true);
    }
  }

  private void onExitRequest(int from, ExitMessage.ExitRequest request, long nowNs) {
    boolean stale = orders.epoch() > request.epoch();
    boolean own = phase == ExitPhase.LEADING && orders.epoch() == request.epoch();
    orders.raise(request.epoch());
    mail.send(from, new ExitMessage.ExitReply(orders.epoch()));
    if (own) {
      // One that has ended tells this rank's own order again; those that are silent still need it.
      ranks.reply(from);
      finishLeading();
    }
    if (phase.isOver() && orders.accepted() > request.epoch()) {
      // The sender ends by an earlier order, perhaps not yet.
      orders.repeat(from);
    }
    boolean better = request.epoch() > orders.accepted();
    if (own || stale || !better || phase == ExitPhase.ENDED) {
      return;
    }
    verdicts.take(request.verdict());
    orders.accept(request.epoch());
    if (request.epoch() == ExitOrders.LAST_RESORT) {
      // Its sender has said it once and is gone.
      ranks.reply(from);
      orders.repeatToSilent();
    }
    startHooks(ExitKind.NOW, nowNs);
    decide(request.epoch() != ExitOrders.LAST_RESORT);
  }

  private void onExitReply(int from, ExitMessage.ExitReply reply, long nowNs) {
    if (phase != ExitPhase.LEADING) {
      return;
    }
    if (reply.epoch() > orders.epoch()) {
      stepBack(reply.epoch(), nowNs);
      return;
    }
    ranks.reply(from);
    finishLeading();
  }

  private void sendAgain(long nowNs) {
    at.againNs = nowNs + plan.againNs();
    switch (phase) {
      case REDUCING -> reduction.again(mail, verdicts.current());
      case ELECTING ->
          mail.again(
              asked, new ExitMessage.ElectRequest(formed || plan.rank() == 0, verdicts.current()));
      case PREPARING -> preparation.again();
      case LEADING -> orders.repeatToSilent();
      default -> at.againNs = NEVER;
    }
  }

  private void decide(boolean inTime) {
    if (phase.isOver()) {
      return;
    }
    graceful = inTime;
    unanswered = phase == ExitPhase.LEADING ? ranks.unanswered().boxed().toList() : List.of();
    phase = ExitPhase.DECIDED;
    at.clear();
    if (!hooks.areRunning()) {
      end();
    }
  }

  private void end() {
    phase = ExitPhase.ENDED;
    output.end(verdicts.result(graceful, unanswered, hooks.overran(), mail.counters()));
  }
}
