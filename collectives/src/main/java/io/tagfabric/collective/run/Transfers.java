package io.tagfabric.collective.run;

import io.tagfabric.complete.Completion;
import io.tagfabric.endpoint.SendListener;
import io.tagfabric.error.FabricError;
import io.tagfabric.match.ReceiveListener;
import io.tagfabric.tag.TaggedMessage;
import java.util.LinkedHashSet;
import java.util.Set;
import org.agrona.DirectBuffer;

/**
 * Messages of one member that are under way at the same time. Their owner goes on when all have
 * ended; the first failure ends the others. Only passes of the loop touch it.
 */
final class Transfers {
  /** Is told how they ended; nothing after {@link #abandon}. */
  interface Owner {
    /** The last one under way has ended. */
    void onAllEnded();

    void onFailed(TeamFailure failure);
  }

  /** Takes what has come. */
  interface Arrival {
    /** What is wrong with the message, null if nothing is. */
    TeamFailure take(TaggedMessage message);
  }

  private final TeamPort port;
  private final Owner owner;
  private final Set<Object> underWay = new LinkedHashSet<>();
  private boolean over;

  Transfers(TeamPort port, Owner owner) {
    this.port = port;
    this.owner = owner;
  }

  void send(int to, TeamPort.Lane lane, DirectBuffer buffer, int offset, int length) {
    Sending sending = new Sending(to);
    underWay.add(sending);
    port.send(to, lane, buffer, offset, length, sending);
  }

  void receive(int from, TeamPort.Lane lane, int maxLength, Arrival arrival) {
    Receiving receiving = new Receiving(from, maxLength, arrival);
    underWay.add(receiving);
    port.receive(from, lane, maxLength, receiving);
  }

  boolean areUnderWay() {
    return !underWay.isEmpty();
  }

  /** Ends all without a word. */
  void abandon() {
    over = true;
    underWay.forEach(port::cancel);
    underWay.clear();
  }

  private void ended(Object transfer) {
    if (!over && underWay.remove(transfer) && underWay.isEmpty()) {
      try {
        owner.onAllEnded();
      } catch (Throwable e) { // a listener may not throw: nobody would end the call
        fail(TeamFailure.thrown(port.members().rank(), e));
      }
    }
  }

  private void fail(TeamFailure failure) {
    if (!over) {
      abandon();
      owner.onFailed(failure);
    }
  }

  private final class Receiving implements ReceiveListener {
    private final int from;
    private final int maxLength;
    private final Arrival arrival;

    Receiving(int from, int maxLength, Arrival arrival) {
      this.from = from;
      this.maxLength = maxLength;
      this.arrival = arrival;
    }

    @Override
    public void onReceived(TaggedMessage message) {
      if (over) {
        return;
      }
      TeamFailure wrong;
      try {
        wrong = arrival.take(message);
      } catch (Throwable e) { // a listener may not throw: nobody would end the call
        wrong = TeamFailure.thrown(port.members().rank(), e);
      }
      if (wrong == null) {
        ended(this);
      } else {
        fail(wrong);
      }
    }

    @Override
    public void onFailed(Completion.Failed failure) {
      fail(
          failure.error() == FabricError.TRUNCATED
              ? port.lengthMismatch(from, -1, maxLength)
              : port.failure(from, failure.error(), failure.detail()));
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
      fail(port.failure(to, failure.error(), failure.detail()));
    }
  }
}
