package io.tagfabric.collective.run;

import io.tagfabric.collective.run.ControlMessage.CallAnswer;
import io.tagfabric.collective.run.ControlMessage.CallQuestion;
import io.tagfabric.error.FabricError;
import java.time.Duration;
import java.util.BitSet;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * Finds out who calls something else, and who does not call in time. A member that is found to
 * differ is asked what it has called, so that the failure says it. Only passes of the loop touch
 * it.
 */
final class CallWatch implements TeamAgreements.Calls {
  private final Members members;
  private final TeamCells cells;
  private final CallList underWay;
  private final Consumer<TeamFailure> onFailed;
  private final CallHistory history = new CallHistory();
  private final BitSet asked = new BitSet();
  private TeamControl control;
  private long nextCheckNs = Long.MAX_VALUE;

  /**
   * Prepares it.
   *
   * @param cells null if some members are in other JVMs
   * @param underWay calls of this member that have not ended
   */
  CallWatch(Members members, TeamCells cells, CallList underWay, Consumer<TeamFailure> onFailed) {
    this.members = members;
    this.cells = cells;
    this.underWay = underWay;
    this.onFailed = onFailed;
  }

  void open(TeamControl itsControl) {
    control = itsControl;
  }

  /**
   * A call begins.
   *
   * @param timeout within which it must end, zero for never
   */
  void add(CallRun run, Duration timeout) {
    history.add(run);
    limit(run, timeout);
  }

  /**
   * A call begins in a cell, where all members' calls are at hand.
   *
   * @param timeout as of {@link #add}
   */
  void limit(CallRun run, Duration timeout) {
    if (!timeout.isZero()) {
      run.deadlineNs(members.domain().loop().time().nanoTime() + timeout.toNanos());
      checkAt(run.deadlineNs());
    }
  }

  // ---- calls that differ ----

  /** A member has called something else: it is to say what. */
  void differs(int member) {
    if (!asked.get(member)) {
      asked.set(member);
      control.send(member, history.question());
    }
  }

  /** Whether a failure waits for a member's answer. */
  boolean hasAsked(int member) {
    return asked.get(member);
  }

  void onQuestion(int from, CallQuestion question) {
    control.send(from, history.answer(question));
  }

  void onAnswer(int from, CallAnswer answer) {
    if (asked.get(from)) {
      onFailed.accept(
          TeamFailure.atFault(
              from, FabricError.INVALID, history.difference(answer, members.rank())));
    }
  }

  // ---- calls that are not made ----

  private void checkAt(long timeNs) {
    if (timeNs < nextCheckNs) {
      nextCheckNs = timeNs;
      members.domain().loop().timers().schedule(timeNs, this::checkDeadlines);
    }
  }

  private void checkDeadlines() {
    nextCheckNs = Long.MAX_VALUE;
    long nowNs = members.domain().loop().time().nanoTime();
    for (CallRun run : underWay.copy()) {
      if (run.deadlineNs() - nowNs > 0) {
        checkAt(run.deadlineNs());
      } else if (cells == null) {
        control.agreements().overdue(run.epoch());
      } else {
        fail(run.epoch(), cells.missing(run.epoch()));
      }
    }
  }

  @Override
  public OptionalInt made(long epoch) {
    return history.number(epoch);
  }

  @Override
  public void onMade(long epoch, Map<Integer, Integer> made, BitSet gone) {
    BitSet missing = new BitSet();
    for (int member = 0; member < members.size(); member++) {
      missing.set(member, !made.containsKey(member) && !gone.get(member));
    }
    OptionalInt own = history.number(epoch);
    if (missing.isEmpty() && own.isPresent()) {
      for (Map.Entry<Integer, Integer> each : made.entrySet()) {
        if (each.getValue() != own.getAsInt()) {
          differs(each.getKey());
          return;
        }
      }
    }
    fail(epoch, missing);
  }

  @Override
  public void onBroken(TeamFailure failure) {
    onFailed.accept(failure);
  }

  private String describe(long epoch) {
    CallRun run = underWay.find(each -> each.epoch() == epoch);
    return run == null ? history.describe(epoch) : run.signature().toString();
  }

  /** A call is overdue, and these have not made it. */
  private void fail(long epoch, BitSet missing) {
    String call = describe(epoch);
    String text = call == null ? "call " + epoch + " of the team" : "[" + call + "]";
    if (!missing.isEmpty()) {
      int first = missing.nextSetBit(0);
      missing.clear(first);
      String others = missing.isEmpty() ? "" : ", nor have ranks " + missing;
      String detail = "has not called " + text + " in time" + others;
      onFailed.accept(TeamFailure.atFault(first, FabricError.TIMED_OUT, detail));
    } else if (underWay.has(run -> run.epoch() == epoch)) {
      String detail = "has waited too long for " + text + ", which all members have called";
      onFailed.accept(TeamFailure.atFault(members.rank(), FabricError.TIMED_OUT, detail));
    }
  }
}
