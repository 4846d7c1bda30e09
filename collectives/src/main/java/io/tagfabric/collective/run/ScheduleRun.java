package io.tagfabric.collective.run;

import io.tagfabric.collective.schedule.Round;
import io.tagfabric.collective.schedule.Schedule;
import io.tagfabric.collective.schedule.Step;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One schedule on its way through its rounds, over the messages of a {@link TeamPort}. A round ends
 * when all its transfers have; then its local steps are done, in their order, whatever the order of
 * arrival was. It may be started again when it has ended well, and then makes nothing. Only passes
 * of the loop touch it.
 */
final class ScheduleRun {
  /** Is told once a start how it ended. */
  interface Listener {
    void onDone();

    void onFailed(TeamFailure failure);
  }

  private final TeamPort port;
  private final List<Round> rounds;
  private final Workspace workspace;
  private final int lane;
  private final Listener listener;
  private final Transfers transfers;

  /** Those of each round, made when it first comes to that. */
  private final Transfers.Receiving[][] receivings;

  private final Transfers.Sending[][] sendings;
  private long epoch;
  private int round;
  private boolean ended;

  ScheduleRun(TeamPort port, Schedule schedule, Workspace workspace, int lane, Listener listener) {
    this.port = port;
    this.rounds = schedule.rounds();
    this.workspace = workspace;
    this.lane = lane;
    this.listener = listener;
    this.transfers = new Transfers(port, new RoundEvents());
    receivings = new Transfers.Receiving[rounds.size()][];
    sendings = new Transfers.Sending[rounds.size()][];
  }

  /** Starts it for a call. */
  void start(long itsEpoch) {
    epoch = itsEpoch;
    round = 0;
    ended = false;
    advance();
  }

  /** Ends it without a word; what is under way is cancelled. */
  void abandon() {
    ended = true;
    transfers.abandon();
  }

  private void advance() {
    while (!ended && !transfers.areUnderWay()) {
      if (round == rounds.size()) {
        ended = true;
        listener.onDone();
        return;
      }
      startTransfers(rounds.get(round));
      if (!ended && !transfers.areUnderWay()) {
        finishRound();
      }
    }
  }

  private void startTransfers(Round current) {
    if (receivings[round] == null) {
      receivings[round] = receivings(current.receives());
      sendings[round] = sendings(current.sends());
    }
    for (Transfers.Receiving receiving : receivings[round]) {
      receiving.begin(epoch, lane);
    }
    for (int i = 0; i < sendings[round].length; i++) {
      Step.Send send = current.sends().get(i);
      sendings[round][i].begin(
          epoch,
          lane,
          workspace.buffer(send.from().memory()),
          workspace.offset(send.from()),
          workspace.length(send.from()));
    }
  }

  private Transfers.Receiving[] receivings(List<Step.Receive> receives) {
    Map<Integer, Transfers.Receiving> last = new HashMap<>();
    return receives.stream()
        .map(each -> last.compute(each.from(), (from, before) -> receiving(each, before)))
        .toArray(Transfers.Receiving[]::new);
  }

  private Transfers.Receiving receiving(Step.Receive receive, Transfers.Receiving before) {
    return transfers.from(
        receive.from(),
        workspace.length(receive.into()),
        bytes -> workspace.fill(receive.into(), bytes, 0),
        before);
  }

  private Transfers.Sending[] sendings(List<Step.Send> sends) {
    Map<Integer, Transfers.Sending> last = new HashMap<>();
    return sends.stream()
        .map(each -> last.compute(each.to(), transfers::to))
        .toArray(Transfers.Sending[]::new);
  }

  private void finishRound() {
    try {
      List<Step.Local> locals = rounds.get(round).locals();
      for (int i = 0; i < locals.size(); i++) {
        workspace.perform(locals.get(i));
      }
    } catch (Throwable e) {
      abandon();
      listener.onFailed(TeamFailure.thrown(port.members().rank(), e));
      return;
    }
    round++;
  }

  private final class RoundEvents implements Transfers.Owner {
    @Override
    public void onAllEnded() {
      finishRound();
      advance();
    }

    @Override
    public void onFailed(TeamFailure failure) {
      ended = true;
      listener.onFailed(failure);
    }
  }
}
