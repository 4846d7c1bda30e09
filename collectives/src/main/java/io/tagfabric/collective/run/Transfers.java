package io.tagfabric.collective.run;

import io.tagfabric.endpoint.RepeatedSend;
import io.tagfabric.error.FabricError;
import io.tagfabric.match.RepeatedReceive;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Messages of one member that are under way at the same time. Their owner goes on when all have
 * ended; the first failure ends the others. A message may be begun with again when all have ended
 * well, and then makes nothing. Only passes of the loop touch it.
 */
final class Transfers {
  /** Is told how they ended; nothing after {@link #abandon}. */
  interface Owner {
    /** The last one under way has ended. */
    void onAllEnded();

    void onFailed(TeamFailure failure);
  }

  /** Takes the bytes that have come, of the length that was asked for, before it returns. */
  interface Arrival {
    void take(DirectBuffer bytes);
  }

  private final TeamPort port;
  private final Owner owner;
  private final List<Transfer> all = new ArrayList<>();
  private int underWay;
  private boolean over;

  Transfers(TeamPort port, Owner owner) {
    this.port = port;
    this.owner = owner;
  }

  /** A message to a member, to be begun with. */
  Sending to(int member) {
    Sending sending = new Sending(member);
    all.add(sending);
    return sending;
  }

  /** A message from a member, of so many bytes, to be begun with. */
  Receiving from(int member, int length, Arrival arrival) {
    Receiving receiving = new Receiving(member, length, arrival);
    all.add(receiving);
    return receiving;
  }

  boolean areUnderWay() {
    return underWay > 0;
  }

  /** Ends all without a word. */
  void abandon() {
    over = true;
    underWay = 0;
    for (Transfer each : all) {
      if (each.isUnderWay) {
        each.isUnderWay = false;
        port.cancel(each);
      }
    }
  }

  private void fail(TeamFailure failure) {
    if (!over) {
      abandon();
      owner.onFailed(failure);
    }
  }

  /** One message. */
  private abstract class Transfer {
    private boolean isUnderWay;

    final void begins() {
      isUnderWay = true;
      underWay++;
    }

    final void ended() {
      if (over || !isUnderWay) {
        return;
      }
      isUnderWay = false;
      if (--underWay > 0) {
        return;
      }
      try {
        owner.onAllEnded();
      } catch (Throwable e) { // a listener may not throw: nobody would end the call
        fail(TeamFailure.thrown(port.members().rank(), e));
      }
    }
  }

  /** A message to a member. */
  final class Sending extends Transfer implements RepeatedSend.Listener {
    private final int to;
    private final RepeatedSend send;

    Sending(int to) {
      this.to = to;
      send = port.sendTo(to, this);
    }

    /** Sends bytes, which stay as they are until all have ended. */
    void begin(long epoch, int lane, DirectBuffer buffer, int offset, int length) {
      begins();
      port.send(send, to, epoch, lane, buffer, offset, length);
    }

    @Override
    public void onSent() {
      ended();
    }

    @Override
    public void onFailed(FabricError error, String detail) {
      fail(port.failure(to, error, detail));
    }
  }

  /**
   * A message from a member. Its bytes come into memory of its own: what is given up may still be
   * written to, and the program has its memory back by then.
   */
  final class Receiving extends Transfer implements RepeatedReceive.Listener {
    private final int from;
    private final UnsafeBuffer bytes;
    private final Arrival arrival;
    private final RepeatedReceive receive;

    Receiving(int from, int length, Arrival arrival) {
      this.from = from;
      this.arrival = arrival;
      bytes = new UnsafeBuffer(new byte[length]);
      receive = port.receiveFrom(from, bytes, this);
    }

    void begin(long epoch, int lane) {
      begins();
      port.receive(receive, epoch, lane);
    }

    @Override
    public void onReceived(int lengthBytes) {
      if (over) {
        return;
      }
      if (lengthBytes != bytes.capacity()) {
        fail(port.lengthMismatch(from, lengthBytes, bytes.capacity()));
        return;
      }
      try {
        arrival.take(bytes);
      } catch (Throwable e) { // a listener may not throw: nobody would end the call
        fail(TeamFailure.thrown(port.members().rank(), e));
        return;
      }
      ended();
    }

    @Override
    public void onFailed(FabricError error, String detail) {
      fail(
          error == FabricError.TRUNCATED
              ? port.lengthMismatch(from, -1, bytes.capacity())
              : port.failure(from, error, detail));
    }
  }
}
