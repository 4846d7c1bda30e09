package io.tagfabric.match;

import io.tagfabric.wire.FrameOrigin;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A long message on its way into the receive that matched it. The receive context makes it, the
 * endpoint asks the sender for the bytes and fills it, then tells the receive context its end.
 */
public final class InboundTransfer {
  private final PostedReceive receive;
  private final FrameOrigin origin;
  private final long tag;
  private final boolean hasData;
  private final long data;
  private final long message;
  private final long length;
  private final int wanted;
  private final MutableDirectBuffer target;
  private final int targetOffset;
  private int arrived;

  InboundTransfer(
      PostedReceive receive,
      FrameOrigin origin,
      long tag,
      boolean hasData,
      long data,
      long message,
      long length) {
    this.receive = receive;
    this.origin = origin;
    this.tag = tag;
    this.hasData = hasData;
    this.data = data;
    this.message = message;
    this.length = length;
    wanted = (int) Math.min(length, receive.capacity());
    if (receive.buffer() == null) {
      target = new UnsafeBuffer(new byte[wanted]);
      targetOffset = 0;
    } else {
      target = receive.buffer();
      targetOffset = receive.offset();
    }
  }

  /** The flow that announced the message. */
  public FrameOrigin origin() {
    return origin;
  }

  /** The sender's number of the message. */
  public long message() {
    return message;
  }

  /** Bytes to ask for: the shorter of message and buffer. */
  public int wanted() {
    return wanted;
  }

  /** Places arrived bytes; a part that lies outside what was asked for is ignored. */
  public void place(long position, DirectBuffer payload, int offset, int count) {
    if (position < 0 || count < 0 || position + count > wanted) {
      return;
    }
    target.putBytes(targetOffset + (int) position, payload, offset, count);
    arrived += count;
  }

  /** Whether all bytes asked for have come. */
  public boolean isComplete() {
    return arrived >= wanted;
  }

  PostedReceive receive() {
    return receive;
  }

  long tag() {
    return tag;
  }

  boolean hasData() {
    return hasData;
  }

  long data() {
    return data;
  }

  long length() {
    return length;
  }

  byte[] ownBytes() {
    return target.byteArray();
  }
}
