package io.tagfabric.exit;

import io.tagfabric.cluster.job.ExitCode;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * The end of a job, seen by one rank. Plain: told what happens and what time it is, says what to
 * send. Single writer: whoever owns it.
 *
 * <pre>
 *              exit(TOGETHER)               all heard
 *   RUNNING ─────────────────► REDUCING ─────────────────► DECIDED ── hooks over ──► ENDED
 *      │  │ exit(NOW)             │ T is over                 ▲  ▲
 *      │  └───────────────► ELECTING ◄──┐ leader lost         │  │
 *      │ exit(SIGNAL)       ▲   │  │    │                     │  │
 *      ▼     hooks over     │   │  └► FOLLOWING ── ExitRequest┘  │
 *   ASKING ─────────────────┘   └───► LEADING ──── all replied ──┘
 *
 *   any of them ── ExitRequest ──► DECIDED        any of them ── 2 T ──► DECIDED, not graceful
 * </pre>
 *
 * <p>A rank asks the lowest rank that lives to be made the leader, and the next one if it stays
 * silent for T / 8; after T / 2 it elects itself. Epochs keep leaders apart whom different electors
 * named: a leader that hears of a higher epoch obeys it. An elector that hears nothing of its
 * leader for T takes the matter up itself, so no rank that was told of the end goes on for ever.
 *
 * @source GASNet 1.8.1 (gasnet_exit); ibv-conduit README, "Graceful exits"
 */
public final class ExitProtocol {
  private enum Phase {
    RUNNING,
    ASKING,
    REDUCING,
    ELECTING,
    FOLLOWING,
    LEADING,
    DECIDED,
    ENDED
  }

  private static final long NEVER = Long.MAX_VALUE;

  private final ExitPlan plan;
  private final ExitOutput output;
  private final Elector elector;
  private final Reduction reduction;
  private final BitSet known = new BitSet();
  private final BitSet gone = new BitSet();
  private final BitSet replied = new BitSet();
  private final List<Integer> rejected = new ArrayList<>();

  private Phase phase = Phase.RUNNING;
  private boolean formed;
  private Verdict verdict;
  private Verdict heard;
  private long epoch = -1;
  private int asked = -1;
  private int leader = -1;
  private boolean hooksRun;
  private boolean hooksOverran;
  private boolean graceful;
  private ExitCounters counters = ExitCounters.NONE;

  private long phaseEndNs = NEVER;
  private long finalNs = NEVER;
  private long electionEndNs = NEVER;
  private long hooksEndNs = NEVER;
  private long againNs = NEVER;
  private long aloneNs = NEVER;
  private Verdict aloneVerdict;

  /** A rank that runs and knows where rank 0 is. */
  public ExitProtocol(ExitPlan plan, ExitOutput output) {
    this.plan = plan;
    this.output = output;
    elector = new Elector(plan.rank(), plan.size());
    reduction = new Reduction(plan.rank());
    known.set(plan.rank());
    known.set(0);
  }

  /** Whether the end has begun, here or elsewhere. */
  public boolean hasBegun() {
    return phase != Phase.RUNNING;
  }

  /** What this rank has sent so far. */
  public ExitCounters counters() {
    return counters;
  }

  /** When {@link #onTime} wants to be called next; {@link Long#MAX_VALUE} for never. */
  public long nextNs() {
    long next = Math.min(Math.min(phaseEndNs, finalNs), Math.min(hooksEndNs, aloneNs));
    return Math.min(next, againNs);
  }

  /** All ranks have met, so all are reachable. */
  public void onFormed() {
    formed = true;
    known.set(0, plan.size());
  }

  /** Another rank has become reachable before all have met. */
  public void onKnown(int rank) {
    known.set(rank);
    if (phase == Phase.LEADING) {
      send(rank, new ExitMessage.ExitRequest(epoch, verdict));
    } else if (isOver()) {
      tellLate(rank);
    }
  }

  /**
   * This rank asks for the end.
   *
   * @return whether its code counts, so false if another one was first
   */
  public boolean exit(ExitKind kind, Verdict wanted, long nowNs) {
    if (phase == Phase.ASKING && kind != ExitKind.SIGNAL) {
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
      phase = Phase.ASKING;
    } else if (kind == ExitKind.TOGETHER && formed && !elector.hasNamed()) {
      reduce(nowNs);
    } else {
      elect(nowNs);
    }
    return true;
  }

  /** The exit hooks are over. */
  public void onHooksDone(long nowNs) {
    if (!hooksRun || hooksEndNs == NEVER) {
      return;
    }
    hooksEndNs = NEVER;
    if (phase == Phase.ASKING) {
      elect(nowNs);
    } else if (phase == Phase.DECIDED) {
      end();
    }
  }

  /** A message of another rank has arrived. */
  public void onMessage(int from, ExitMessage message, long nowNs) {
    known.set(from);
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
    if (gone.get(rank) || rank == plan.rank()) {
      return;
    }
    gone.set(rank);
    if (elector.leader() == rank) {
      elector.withdraw();
      aloneNs = Math.min(aloneNs, nowNs);
    }
    switch (phase) {
      case RUNNING -> {
        if (!orderly && plan.abortOnLoss() && aloneNs == NEVER) {
          aloneNs = nowNs + plan.timeoutNs();
        }
      }
      case REDUCING -> restartReduction(nowNs);
      case ELECTING -> {
        if (asked == rank) {
          ask(lowest(rank + 1), nowNs);
        }
      }
      case FOLLOWING -> {
        if (leader == rank) {
          elect(nowNs);
        }
      }
      case LEADING -> finishLeading(nowNs);
      default -> {
        return;
      }
    }
  }

  /** Some time has passed. */
  public void onTime(long nowNs) {
    if (nowNs >= aloneNs) {
      takeUp(nowNs);
    }
    if (nowNs >= hooksEndNs) {
      hooksOverran = true;
      onHooksDone(nowNs);
    }
    if (nowNs >= finalNs) {
      giveUp();
    } else if (nowNs >= phaseEndNs) {
      onPhaseEnd(nowNs);
    } else if (nowNs >= againNs) {
      sendAgain(nowNs);
    }
  }

  private void onPhaseEnd(long nowNs) {
    switch (phase) {
      case REDUCING -> elect(nowNs);
      case ELECTING -> ask(nowNs >= electionEndNs ? plan.rank() : lowest(asked + 1), nowNs);
      case FOLLOWING -> {
        elector.withdraw();
        ask(plan.rank(), nowNs);
      }
      default -> phaseEndNs = NEVER;
    }
  }

  /** The leader this rank has named is silent, or a rank is lost: this one sees to the end. */
  private void takeUp(long nowNs) {
    aloneNs = NEVER;
    if (phase == Phase.RUNNING) {
      elector.withdraw();
      Verdict inherited =
          aloneVerdict != null ? aloneVerdict : new Verdict(ExitCode.FAILED, 0, plan.rank());
      exit(ExitKind.NOW, inherited, nowNs);
    }
  }

  private void startHooks(ExitKind kind, long nowNs) {
    if (!hooksRun) {
      hooksRun = true;
      hooksEndNs = nowNs + plan.hooksNs();
      output.runHooks(new ExitNotice(verdict.code(), verdict.rank(), kind));
    }
  }

  private void reduce(long nowNs) {
    phase = Phase.REDUCING;
    finalNs = nowNs + 2 * plan.timeoutNs();
    phaseEndNs = nowNs + plan.timeoutNs();
    restartReduction(nowNs);
  }

  private void restartReduction(long nowNs) {
    BitSet left = new BitSet();
    left.set(0, plan.size());
    left.andNot(gone);
    reduction.begin(left);
    againNs = nowNs + plan.againNs();
    advanceReduction(true);
  }

  private void advanceReduction(boolean entered) {
    boolean enters = entered;
    while (!reduction.isComplete()) {
      if (enters) {
        sendRound(reduction.round());
      }
      enters = reduction.advance();
      if (!enters) {
        return;
      }
    }
    decide(true);
  }

  private void sendRound(int round) {
    send(reduction.receiver(round), new ExitMessage.Reduce(reduction.view(), round, verdict));
  }

  private void onReduce(int from, ExitMessage.Reduce reduce) {
    if (isOver() || phase == Phase.LEADING) {
      tellLate(from);
      return;
    }
    reduction.hear(reduce.view(), reduce.round());
    heard = heard == null ? reduce.verdict() : heard.merge(reduce.verdict(), plan.policy());
    if (phase == Phase.REDUCING) {
      verdict = verdict.merge(heard, plan.policy());
      advanceReduction(false);
    }
  }

  private void elect(long nowNs) {
    finalNs = finalNs == NEVER ? nowNs + plan.timeoutNs() : finalNs;
    electionEndNs = nowNs + plan.electionNs();
    if (elector.hasNamed()) {
      leader = elector.leader();
      follow(nowNs);
    } else {
      ask(lowest(0), nowNs);
    }
  }

  private int lowest(int from) {
    for (int rank = from; rank < plan.rank(); rank++) {
      if (known.get(rank) && !gone.get(rank)) {
        return rank;
      }
    }
    return plan.rank();
  }

  private void ask(int candidate, long nowNs) {
    phase = Phase.ELECTING;
    leader = -1;
    asked = candidate;
    boolean unformed = !formed && plan.rank() != 0;
    phaseEndNs = unformed && candidate == 0 ? electionEndNs : nowNs + plan.electorNs();
    againNs = nowNs + plan.againNs();
    ExitMessage.ElectRequest request = new ExitMessage.ElectRequest(!unformed, verdict);
    if (candidate != plan.rank()) {
      send(candidate, request);
      return;
    }
    counters = counters.plus(request);
    ExitMessage.ElectReply reply = elector.elect(plan.rank());
    counters = counters.plus(reply);
    onElectReply(plan.rank(), reply, nowNs);
  }

  private void onElectRequest(int from, ExitMessage.ElectRequest request, long nowNs) {
    if (gone.get(from)) {
      return;
    }
    if (isOver() || phase == Phase.LEADING) {
      // one that asks for what is decided still gets its answer, so that its account is whole
      if (phase == Phase.LEADING) {
        send(from, new ExitMessage.ElectReply(epoch, plan.rank()));
      } else {
        tellLate(from);
      }
      return;
    }
    int candidate = request.knowsAll() ? from : plan.rank();
    ExitMessage.ElectReply reply = elector.elect(candidate);
    send(from, reply);
    if (reply.leader() == plan.rank()) {
      obeyOwnElection(request, reply.epoch(), nowNs);
    } else if (phase == Phase.RUNNING && aloneNs == NEVER) {
      aloneNs = nowNs + plan.timeoutNs();
      aloneVerdict = request.verdict();
    } else if (phase == Phase.REDUCING) {
      elect(nowNs);
    }
  }

  /** A rank that does not know all others leaves it to this one, which does. */
  private void obeyOwnElection(ExitMessage.ElectRequest request, long ofEpoch, long nowNs) {
    if (!hasBegun()) {
      verdict = request.verdict();
      startHooks(ExitKind.NOW, nowNs);
    }
    finalNs = finalNs == NEVER ? nowNs + plan.timeoutNs() : finalNs;
    lead(ofEpoch, nowNs);
  }

  private void onElectReply(int from, ExitMessage.ElectReply reply, long nowNs) {
    if (phase != Phase.ELECTING || from != asked || gone.get(reply.leader())) {
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
    phase = Phase.FOLLOWING;
    phaseEndNs = nowNs + plan.electionNs();
    againNs = NEVER;
  }

  private void lead(long ofEpoch, long nowNs) {
    phase = Phase.LEADING;
    epoch = ofEpoch;
    leader = plan.rank();
    phaseEndNs = NEVER;
    aloneNs = NEVER;
    againNs = nowNs + plan.againNs();
    others().stream().forEach(rank -> send(rank, new ExitMessage.ExitRequest(epoch, verdict)));
    finishLeading(nowNs);
  }

  private BitSet others() {
    BitSet others = (BitSet) known.clone();
    others.andNot(gone);
    others.clear(plan.rank());
    return others;
  }

  private BitSet unanswered() {
    BitSet unanswered = others();
    unanswered.andNot(replied);
    return unanswered;
  }

  private void finishLeading(long nowNs) {
    if (unanswered().isEmpty()) {
      decide(true);
    } else {
      againNs = Math.max(againNs, nowNs);
    }
  }

  private void onExitRequest(int from, ExitMessage.ExitRequest request, long nowNs) {
    boolean stale = phase == Phase.LEADING && epoch > request.epoch();
    epoch = Math.max(epoch, request.epoch());
    send(from, new ExitMessage.ExitReply(epoch));
    if (stale || isOver()) {
      return;
    }
    verdict = request.verdict();
    startHooks(ExitKind.NOW, nowNs);
    decide(true);
  }

  private void onExitReply(int from, ExitMessage.ExitReply reply, long nowNs) {
    if (phase != Phase.LEADING) {
      return;
    }
    if (reply.epoch() > epoch) {
      leader = -1;
      follow(nowNs);
      return;
    }
    replied.set(from);
    finishLeading(nowNs);
  }

  /** The end was decided without this rank's being told. */
  private void tellLate(int rank) {
    counters = counters.plusAgain();
    output.send(rank, new ExitMessage.ExitRequest(epoch, verdict));
  }

  private void sendAgain(long nowNs) {
    againNs = nowNs + plan.againNs();
    switch (phase) {
      case REDUCING -> {
        for (int round = 0; round <= reduction.round(); round++) {
          again(
              reduction.receiver(round), new ExitMessage.Reduce(reduction.view(), round, verdict));
        }
      }
      case ELECTING ->
          again(asked, new ExitMessage.ElectRequest(formed || plan.rank() == 0, verdict));
      case LEADING ->
          unanswered().stream()
              .forEach(rank -> again(rank, new ExitMessage.ExitRequest(epoch, verdict)));
      default -> againNs = NEVER;
    }
  }

  private void again(int rank, ExitMessage message) {
    counters = counters.plusAgain();
    output.send(rank, message);
  }

  private void send(int rank, ExitMessage message) {
    counters = counters.plus(message);
    output.send(rank, message);
  }

  /**
   * The time is over. All who have not answered are told once more: perhaps it was this rank that
   * was held up, and nobody else knows.
   */
  private void giveUp() {
    unanswered().stream().forEach(rank -> again(rank, new ExitMessage.ExitRequest(epoch, verdict)));
    decide(false);
  }

  private boolean isOver() {
    return phase == Phase.DECIDED || phase == Phase.ENDED;
  }

  private void decide(boolean inTime) {
    if (isOver()) {
      return;
    }
    graceful = inTime;
    if (phase != Phase.LEADING) {
      replied.or(known);
    }
    phase = Phase.DECIDED;
    phaseEndNs = NEVER;
    finalNs = NEVER;
    againNs = NEVER;
    aloneNs = NEVER;
    if (hooksEndNs == NEVER) {
      end();
    }
  }

  private void end() {
    phase = Phase.ENDED;
    output.end(
        new ExitResult(
            verdict.code(),
            verdict.rank(),
            graceful,
            unanswered().stream().boxed().toList(),
            List.copyOf(rejected),
            hooksOverran,
            counters));
  }
}
