package io.tagfabric.collective.run;

import io.tagfabric.collective.schedule.Round;
import io.tagfabric.collective.schedule.Schedule;
import io.tagfabric.collective.schedule.Step;
import io.tagfabric.complete.Completion;
import io.tagfabric.endpoint.SendListener;
import io.tagfabric.error.FabricError;
import io.tagfabric.match.ReceiveListener;
import io.tagfabric.tag.TaggedMessage;
import java.util.HashSet;
import java.util.Set;
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
  private final long tag;
  private final Listener listener;
  private final Set<Object> underWay = new HashSet<>();
  private int round;
  private boolean ended;

  ScheduleRun(TeamPort port, Schedule schedule, Workspace workspace, long tag, Listener listener) {
    this.port = port;
    this.schedule = schedule;
    this.workspace = workspace;
    this.tag = tag;
    this.listener = listener;
  }

  void start() {
    advance();
  }

  /** Ends it without a word; what is under way is cancelled. */
  void abandon() {
    ended = true;
    underWay.forEach(port::cancel);
    underWay.clear();
  }

  private void advance() {
    while (!ended && underWay.isEmpty()) {
      if (round == schedule.rounds().size()) {
        ended = true;
        listener.onDone();
        return;
      }
      if (startTransfers(schedule.rounds().get(round))) {
        return;
      }
      finishRound();
    }
  }

  /** False if there are none. */
  private boolean startTransfers(Round current) {
    for (Step.Receive receive : current.receives()) {
      Receiving receiving = new Receiving(receive);
      underWay.add(receiving);
      port.receive(receive.from(), tag, workspace.length(receive.into()), receiving);
    }
    for (Step.Send send : current.sends()) {
      Sending sending = new Sending(send.to());
      underWay.add(sending);
      port.send(
          send.to(),
          tag,
          workspace.buffer(send.from().memory()),
          workspace.offset(send.from()),
          workspace.length(send.from()),
          sending);
    }
    return !underWay.isEmpty();
  }

  private void finishRound() {
    try {
      schedule.rounds().get(round).locals().forEach(workspace::perform);
    } catch (RuntimeException e) {
      fail(
          new TeamFailure(
              port.members().rank(), FabricError.OTHER, "its operator has thrown " + e));
      return;
    }
    round++;
  }

  private void ended(Object transfer) {
    if (!ended && underWay.remove(transfer) && underWay.isEmpty()) {
      finishRound();
      advance();
    }
  }

  private void fail(TeamFailure failure) {
    if (!ended) {
      abandon();
      listener.onFailed(failure);
    }
  }

  private final class Receiving implements ReceiveListener {
    private final Step.Receive step;

    Receiving(Step.Receive step) {
      this.step = step;
    }

    @Override
    public void onReceived(TaggedMessage message) {
      if (ended) {
        return;
      }
      int length = message.payload().length();
      if (length != workspace.length(step.into())) {
        fail(port.lengthMismatch(step.from(), length, workspace.length(step.into())));
        return;
      }
      workspace.fill(step.into(), new UnsafeBuffer(message.payload().array()), 0);
      ended(this);
    }

    @Override
    public void onFailed(Completion.Failed failure) {
      fail(
          failure.error() == FabricError.TRUNCATED
              ? port.lengthMismatch(step.from(), -1, workspace.length(step.into()))
              : port.failure(step.from(), failure));
    }
  }

  private final class Sending implements SendListener {
    private final int to;

    Sending(int to) {
      this.to = to;
    }

    @Override
    public void onSent(Completion.Sent sent) {
      ended(this);
    }

    @Override
    public void onFailed(Completion.Failed failure) {
      fail(port.failure(to, failure));
    }
  }
}
