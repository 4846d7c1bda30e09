package io.tagfabric.endpoint;

import io.tagfabric.wire.FrameOrigin;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;

/**
 * A request that a handler has been called with: who sent it, what it brings, and the way to reply.
 * Valid during the call only; later each method throws an {@link IllegalStateException}. Thread:
 * the domain's loop.
 */
public final class ActiveCall {
  private static final byte[] NO_BYTES = {};

  private final ActiveDesk desk;
  private final FrameOrigin origin;
  private final long number;
  private final boolean wantsReply;
  private final int handler;
  private final int count;
  private final DirectBuffer arguments;
  private final int argumentsAt;
  private final DirectBuffer buffer;
  private final int at;
  private final int length;
  private boolean isLong;
  private long regionKey;
  private long regionOffset;
  private ActiveBody reply;
  private ReceivedRequest kept;
  private boolean over;

  /**
   * A call.
   *
   * @param arguments where its arguments are
   * @param buffer where its payload is
   */
  ActiveCall(
      ActiveDesk desk,
      FrameOrigin origin,
      long number,
      boolean wantsReply,
      int handler,
      int count,
      DirectBuffer arguments,
      int argumentsAt,
      DirectBuffer buffer,
      int at,
      int length) {
    this.desk = desk;
    this.origin = origin;
    this.number = number;
    this.wantsReply = wantsReply;
    this.handler = handler;
    this.count = count;
    this.arguments = arguments;
    this.argumentsAt = argumentsAt;
    this.buffer = buffer;
    this.at = at;
    this.length = length;
  }

  /** Its payload lies in a region. */
  void lies(long key, long offset) {
    isLong = true;
    regionKey = key;
    regionOffset = offset;
  }

  /** Index of the sender in the domain's address vector. */
  public int peer() {
    requireValid();
    return origin.peer();
  }

  /** Whether the endpoint has sent it to itself. */
  public boolean isOwn() {
    requireValid();
    return origin.isOwn();
  }

  /** The index that it was sent to. */
  public int handler() {
    requireValid();
    return handler;
  }

  /** Whether its sender waits for a reply; a reply to another goes nowhere. */
  public boolean wantsReply() {
    requireValid();
    return wantsReply;
  }

  /** Whether its payload lies in a region of this side, where it stays. */
  public boolean isLong() {
    requireValid();
    return isLong;
  }

  /** Key of the region of a long request, 0 of others. */
  public long regionKey() {
    requireValid();
    return regionKey;
  }

  /** Where in the region the bytes of a long request lie, 0 of others. */
  public long regionOffset() {
    requireValid();
    return regionOffset;
  }

  /** How many arguments it has. */
  public int argumentCount() {
    requireValid();
    return count;
  }

  /**
   * One of its arguments.
   *
   * @throws IndexOutOfBoundsException if there is none of this index
   */
  public int argument(int index) {
    requireValid();
    if (index < 0 || index >= count) {
      throw new IndexOutOfBoundsException("argument=" + index + " of arguments=" + count);
    }
    return arguments.getInt(argumentsAt + index * Integer.BYTES, ByteOrder.LITTLE_ENDIAN);
  }

  /** Bytes of its payload. */
  public int length() {
    requireValid();
    return length;
  }

  /** Where its payload lies, to read during the call; in the region, if it is long. */
  public DirectBuffer buffer() {
    requireValid();
    return buffer;
  }

  /** Where in {@link #buffer} its payload begins. */
  public int offset() {
    requireValid();
    return at;
  }

  /** A copy of its payload. */
  public byte[] payload() {
    byte[] copy = new byte[length()];
    buffer.getBytes(at, copy);
    return copy;
  }

  /**
   * Replies; both arrays are copied. It leaves when the handler has returned, and not if that
   * throws.
   *
   * @throws IllegalArgumentException beyond 16 arguments or {@link ActiveMessages#maxMedium}
   * @throws IllegalStateException if it has replied already
   */
  public void reply(int[] arguments, byte[] payload) {
    requireValid();
    requireUnanswered();
    reply = ActiveBody.of(arguments, payload, desk.maxMedium());
  }

  /** Replies with arguments only; otherwise as {@link #reply(int[], byte[])}. */
  public void reply(int... arguments) {
    reply(arguments, NO_BYTES);
  }

  /**
   * Keeps the request, to be answered after the call, by any thread. It holds its sender's credit
   * until then. A request without a wish for a reply may be kept for its bytes.
   *
   * @throws IllegalStateException if it was answered or kept already
   */
  public ReceivedRequest keep() {
    requireValid();
    requireUnanswered();
    kept = desk.keep(origin, this);
    return kept;
  }

  private void requireUnanswered() {
    if (reply != null || kept != null) {
      throw new IllegalStateException(
          "handler="
              + handler
              + (kept == null ? " has replied" : " has kept the request")
              + " already, a request is answered once");
    }
  }

  private void requireValid() {
    if (over) {
      throw new IllegalStateException(
          "the call of handler=" + handler + " is over, copy what is needed later");
    }
  }

  // ---- for the desk ----

  long number() {
    return number;
  }

  /** The handler has returned or thrown. */
  void end() {
    over = true;
  }

  /** What the handler has replied; empty if it has not. */
  ActiveBody replied() {
    return reply == null ? ActiveBody.EMPTY : reply;
  }

  /** Under what the handler has kept it; null if it has not. */
  ReceivedRequest kept() {
    return kept;
  }
}
