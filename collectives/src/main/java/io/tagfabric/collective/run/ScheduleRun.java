package io.tagfabric.collective.run;

import io.tagfabric.collective.schedule.Round;
import io.tagfabric.collective.schedule.Schedule;
import io.tagfabric.collective.schedule.Step;
import io.tagfabric.tag.TaggedMessage;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One schedule on its way through its rounds, over the messages of a {@link TeamPort}. A round ends
 * when all its transfers have; then its local steps are done, in their order, whatever the order of
 * arrival was. Only passes of the loop touch it.
 */
final class ScheduleRun {
  /** Is told once how a run ended. */
  interface Listener {
    void onDone();

    void onFailed(TeamFailure failure);
  }

  private final TeamPort port;
  private final Schedule schedule;
  private final Workspace workspace;
  private final TeamPort.Lane lane;
  private final Listener listener;
  private final Transfers transfers;
  private int round;
  private boolean ended;

  ScheduleRun(
      TeamPort port,
      Schedule schedule,
      Workspace workspace,
      TeamPort.Lane lane,
      Listener listener) {
    this.port = port;
    this.schedule = schedule;
    this.workspace = workspace;
    this.lane = lane;
    this.listener = listener;
    this.transfers = new Transfers(port, new RoundEvents());
  }

  void start() {
    advance();
  }

  /** Ends it without a word; what is under way is cancelled. */
  void abandon() {
    ended = true;
    transfers.abandon();
  }

  private void advance() {
    while (!ended && !transfers.areUnderWay()) {
      if (round == schedule.rounds().size()) {
        ended = true;
        listener.onDone();
        return;
      }
      startTransfers(schedule.rounds().get(round));
      if (!transfers.areUnderWay()) {
        finishRound();
      }
    }
  }

  private void startTransfers(Round current) {
    for (Step.Receive receive : current.receives()) {
      transfers.receive(
          receive.from(),
          lane,
          workspace.length(receive.into()),
          message -> take(receive, message));
    }
    for (Step.Send send : current.sends()) {
      transfers.send(
          send.to(),
          lane,
          workspace.buffer(send.from().memory()),
          workspace.offset(send.from()),
          workspace.length(send.from()));
    }
  }

  private TeamFailure take(Step.Receive receive, TaggedMessage message) {
    int length = message.payload().length();
    int wanted = workspace.length(receive.into());
    if (length != wanted) {
      return port.lengthMismatch(receive.from(), length, wanted);
    }
    workspace.fill(receive.into(), new UnsafeBuffer(message.payload().array()), 0);
    return null;
  }

  private void finishRound() {
    try {
      schedule.rounds().get(round).locals().forEach(workspace::perform);
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
