package io.tagfabric.endpoint;

import java.nio.ByteOrder;
import org.agrona.DirectBuffer;

/**
 * A request that a handler has been called with: who sent it, what it brings, and the way to reply.
 * Valid during the call only; later each method throws an {@link IllegalStateException}. Thread:
 * the domain's loop.
 */
public final class ActiveCall {
  private final int peer;
  private final boolean own;
  private final int handler;
  private final int count;
  private final DirectBuffer buffer;
  private final int at;
  private final int length;
  private ActiveBody reply;
  private boolean over;

  /**
   * A call.
   *
   * @param at where its arguments begin, and its payload behind them
   * @param bodyBytes of both
   */
  ActiveCall(
      int peer, boolean own, int handler, int count, DirectBuffer buffer, int at, int bodyBytes) {
    this.peer = peer;
    this.own = own;
    this.handler = handler;
    this.count = count;
    this.buffer = buffer;
    this.at = at;
    this.length = bodyBytes - count * Integer.BYTES;
  }

  /** Index of the sender in the domain's address vector. */
  public int peer() {
    requireValid();
    return peer;
  }

  /** Whether the endpoint has sent it to itself. */
  public boolean isOwn() {
    requireValid();
    return own;
  }

  /** The index that it was sent to. */
  public int handler() {
    requireValid();
    return handler;
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
    return buffer.getInt(at + index * Integer.BYTES, ByteOrder.LITTLE_ENDIAN);
  }

  /** Bytes of its payload. */
  public int length() {
    requireValid();
    return length;
  }

  /** A copy of its payload. */
  public byte[] payload() {
    byte[] copy = new byte[length()];
    buffer.getBytes(at + count * Integer.BYTES, copy);
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
    if (reply != null) {
      throw new IllegalStateException(
          "handler=" + handler + " has replied already, a request is answered once");
    }
    reply = ActiveBody.of(arguments, payload);
  }

  private void requireValid() {
    if (over) {
      throw new IllegalStateException(
          "the call of handler=" + handler + " is over, copy what is needed later");
    }
  }

  /** The handler has returned or thrown. */
  ActiveBody end() {
    over = true;
    return reply == null ? ActiveBody.EMPTY : reply;
  }
}
