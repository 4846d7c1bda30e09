package io.tagfabric.match.core;

import io.tagfabric.match.PostedReceive;
import io.tagfabric.wire.Announced;
import io.tagfabric.wire.FrameOrigin;
import io.tagfabric.wire.MemoryKey;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A long message on its way into the receive that matched it. Made by the receive context; {@link
 * InboundTransfers} asks the sender for the bytes and fills it.
 */
final class InboundTransfer {
  private final PostedReceive receive;
  private final Envelope envelope;
  private final int wanted;
  private final MutableDirectBuffer target;
  private final List<? extends MutableDirectBuffer> parts;
  private final int targetOffset;
  private int clearedTo;
  private int arrived;
  private MemoryKey lent;

  InboundTransfer(PostedReceive receive, Envelope envelope) {
    this.receive = receive;
    this.envelope = envelope;
    wanted = (int) Math.min(envelope.length, receive.capacity());
    parts = receive.parts();
    if (receive.buffer() != null) {
      target = receive.buffer();
      targetOffset = receive.offset();
    } else {
      target = parts == null ? new UnsafeBuffer(new byte[wanted]) : null;
      targetOffset = 0;
    }
  }

  /** The flow that announced the message. */
  FrameOrigin origin() {
    return envelope.origin;
  }

  /** The sender's number of the message. */
  long message() {
    return envelope.message;
  }

  /** Bytes to ask for: the shorter of message and buffer. */
  int wanted() {
    return wanted;
  }

  /** Whether the sender waits to hear that the receive has ended. */
  boolean wantsFinish() {
    return envelope.wantsFinish;
  }

  /** Where the bytes can be read in the sender's memory; null if nowhere. */
  MemoryKey source() {
    return envelope.memory;
  }

  /** The sender may write the bytes itself by this key. */
  void lend(MemoryKey key) {
    lent = key;
  }

  /** What {@link #lend} has lent, null if nothing. */
  MemoryKey lent() {
    return lent;
  }

  /** Where the bytes go; null if to several buffers. */
  MutableDirectBuffer target() {
    return target;
  }

  /**
   * Whether the bytes still fit there. If the program has taken the buffer's room away, they are
   * counted and not placed, and the receive fails when all have come.
   */
  boolean hasRoom() {
    return receive.hasItsBuffer();
  }

  /** Where in {@link #target} the message begins. */
  int targetOffset() {
    return targetOffset;
  }

  /** Bytes that have come, from the first on. */
  int arrived() {
    return arrived;
  }

  /** Bytes before this position have been asked for. */
  int clearedTo() {
    return clearedTo;
  }

  /** Bytes asked for that have not come. */
  int underWay() {
    return clearedTo - arrived;
  }

  /**
   * Decides what to ask for next: whole windows, as many as may be under way.
   *
   * @param windowBytes bytes of a window
   * @param limitBytes bytes that may be under way
   * @return how many bytes more than before {@link #clearedTo()} says now, 0 for none
   */
  int clearMore(int windowBytes, long limitBytes) {
    if (clearedTo == wanted) {
      return 0;
    }
    long windows = (limitBytes - underWay()) / windowBytes;
    int before = clearedTo;
    clearedTo = (int) Math.min(wanted, clearedTo + windows * windowBytes);
    return clearedTo - before;
  }

  /**
   * Places arrived bytes.
   *
   * @return false if they are not those that come next among the ones asked for; then none is
   *     placed
   */
  boolean place(long position, DirectBuffer payload, int offset, int count) {
    int at = arrived;
    if (!placed(position, count)) {
      return false;
    }
    if (hasRoom()) {
      put(at, payload, offset, count);
    }
    return true;
  }

  /**
   * Counts bytes that the sender has written to the buffer.
   *
   * @return false if they are not those that come next among the ones asked for
   */
  boolean placed(long position, int count) {
    if (position != arrived || count < 0 || count > underWay()) {
      return false;
    }
    arrived += count;
    return true;
  }

  /** Counts bytes that were read from the sender's memory without asking. */
  void pulled(int count) {
    arrived += count;
    clearedTo = arrived;
  }

  /** Begins again, asking: what was read before may not be what was sent. */
  void restart() {
    arrived = 0;
    clearedTo = 0;
  }

  /** Places bytes that come unasked; what the buffer has no room for is dropped. */
  void placeWhatFits(int position, DirectBuffer payload, int offset, int count) {
    int fits = Math.min(count, wanted - position);
    if (fits > 0 && hasRoom()) {
      put(position, payload, offset, fits);
    }
  }

  private void put(int position, DirectBuffer payload, int offset, int count) {
    if (parts == null) {
      target.putBytes(targetOffset + position, payload, offset, count);
    } else {
      Scattered.put(parts, position, payload, offset, count);
    }
  }

  /**
   * Reads bytes from the sender's memory.
   *
   * @return false if they cannot be read there any more
   */
  boolean read(Announced announced, int count) {
    int at = arrived;
    return parts == null
        ? announced.read(envelope.memory, at, target, targetOffset + at, count)
        : Scattered.forEach(
            parts,
            at,
            count,
            (done, part, offset, length) ->
                announced.read(envelope.memory, at + done, part, offset, length));
  }

  /** Whether all bytes asked for have come. */
  boolean isComplete() {
    return arrived >= wanted;
  }

  PostedReceive receive() {
    return receive;
  }

  Envelope envelope() {
    return envelope;
  }

  byte[] ownBytes() {
    return target.byteArray();
  }
}
