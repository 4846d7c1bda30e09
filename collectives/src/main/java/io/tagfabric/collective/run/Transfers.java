package io.tagfabric.collective.run;

import io.tagfabric.error.FabricError;
import io.tagfabric.link.send.RepeatedSend;
import io.tagfabric.match.RepeatedReceive;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Blocks of one member that are under way at the same time. Their owner goes on when all have
 * ended; the first failure ends the others. A block may be begun with again when all have ended
 * well, and then makes nothing. Only passes of the loop touch it.
 *
 * <p><b>Parts.</b> A block goes in messages of the longest length that both members take, and ends
 * with the first one that is shorter, which may be empty. Both compute that length alike, from what
 * they have told each other when their flow was set up, so the receiver knows each part by its
 * length, and a block of another length than it expects as well. Blocks between the same two
 * members go one after the other.
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

  /**
   * A block to a member, to be begun with.
   *
   * @param before the block to the same member that is begun with just before; null if there is
   *     none
   */
  Sending to(int member, Sending before) {
    return added(new Sending(member), before);
  }

  /**
   * A block from a member, of so many bytes, to be begun with.
   *
   * @param before the block from the same member that is begun with just before; null if there is
   *     none
   */
  Receiving from(int member, int length, Arrival arrival, Receiving before) {
    return added(new Receiving(member, length, arrival), before);
  }

  private <T extends Transfer> T added(T transfer, Transfer before) {
    all.add(transfer);
    transfer.follow(before);
    return transfer;
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

  /** One block. */
  private abstract class Transfer {
    final int member;

    /** Longest message that goes between the two, 0 as long as that is not known. */
    int mostBytes;

    private Transfer before;
    private Transfer behind;
    private boolean isUnderWay;

    Transfer(int member) {
      this.member = member;
    }

    final void follow(Transfer other) {
      before = other;
      if (other != null) {
        other.behind = this;
      }
    }

    /** Begins, or waits for the block before it. */
    final void begins() {
      if (over) {
        return;
      }
      isUnderWay = true;
      underWay++;
      if (before == null || !before.isUnderWay) {
        start();
      }
    }

    /** Sends or awaits the first message. */
    abstract void start();

    /** Whether {@link #mostBytes} is known. */
    final boolean knowsMost() {
      if (mostBytes == 0) {
        mostBytes = port.maxMessageBytes(member);
      }
      return mostBytes > 0;
    }

    final void ended() {
      if (over || !isUnderWay) {
        return;
      }
      isUnderWay = false;
      underWay--;
      if (behind != null && behind.isUnderWay) {
        behind.start();
      }
      if (over || underWay > 0) {
        return;
      }
      try {
        owner.onAllEnded();
      } catch (Throwable e) { // a listener may not throw: nobody would end the call
        fail(TeamFailure.thrown(port.members().rank(), e));
      }
    }
  }

  /** A block to a member. */
  final class Sending extends Transfer implements RepeatedSend.Listener {
    private final RepeatedSend send;
    private long epoch;
    private int lane;
    private DirectBuffer buffer;
    private int offset;
    private int left;

    /** Bytes of the message that is under way. */
    private int part;

    Sending(int to) {
      super(to);
      send = port.sendTo(to, this);
    }

    /** Sends bytes, which stay as they are until all have ended. */
    void begin(long itsEpoch, int itsLane, DirectBuffer itsBuffer, int itsOffset, int length) {
      epoch = itsEpoch;
      lane = itsLane;
      buffer = itsBuffer;
      offset = itsOffset;
      left = length;
      begins();
    }

    @Override
    void start() {
      if (knowsMost()) {
        sendPart();
        return;
      }
      port.connect(
          member,
          failure -> {
            if (failure != null) {
              onFailed(failure.error(), failure.getMessage());
            } else if (!over) {
              start();
            }
          });
    }

    private void sendPart() {
      part = Math.min(left, mostBytes);
      try {
        port.send(send, member, epoch, lane, buffer, offset, part);
      } catch (IllegalArgumentException e) { // the program has wrapped its buffer around others
        onFailed(FabricError.INVALID, e.getMessage());
      }
    }

    @Override
    public void onSent() {
      if (over) {
        return;
      }
      offset += part;
      left -= part;
      if (part == mostBytes) {
        sendPart();
      } else {
        ended();
      }
    }

    @Override
    public void onFailed(FabricError error, String detail) {
      if (!over) {
        fail(port.sendFailure(member, error, detail));
      }
    }
  }

  /**
   * A block from a member. Its bytes come into memory of its own: what is given up may still be
   * written to, and the program has its memory back by then.
   */
  final class Receiving extends Transfer implements RepeatedReceive.Listener {
    private final UnsafeBuffer bytes;
    private final Arrival arrival;
    private final RepeatedReceive receive;
    private long epoch;
    private int lane;
    private int filled;

    Receiving(int from, int length, Arrival arrival) {
      super(from);
      this.arrival = arrival;
      bytes = new UnsafeBuffer(new byte[length]);
      receive = port.receiveFrom(from, bytes, this);
    }

    void begin(long itsEpoch, int itsLane) {
      epoch = itsEpoch;
      lane = itsLane;
      filled = 0;
      begins();
    }

    @Override
    void start() {
      receive.into(bytes, filled, bytes.capacity() - filled);
      port.receive(receive, epoch, lane);
    }

    @Override
    public void onReceived(int lengthBytes) {
      if (over) {
        return;
      }
      filled += lengthBytes;
      if (knowsMost()) {
        onPart(lengthBytes == mostBytes);
      } else if (port.reaches(member)) { // it has overtaken the answer that opens the flow
        port.connect(
            member,
            notUsed -> {
              if (!over) {
                onPart(knowsMost() ? lengthBytes == mostBytes : filled < bytes.capacity());
              }
            });
      } else { // the sender has gone since
        onPart(filled < bytes.capacity());
      }
    }

    private void onPart(boolean isFollowed) {
      if (isFollowed) {
        start();
        return;
      }
      if (filled != bytes.capacity()) {
        fail(port.lengthMismatch(member, filled, bytes.capacity()));
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
      if (!over) {
        fail(
            error == FabricError.TRUNCATED
                ? port.lengthMismatch(member, -1, bytes.capacity())
                : port.receiveFailure(member, error, detail));
      }
    }
  }
}
