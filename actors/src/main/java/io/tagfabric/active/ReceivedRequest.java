package io.tagfabric.active;

import io.tagfabric.memory.RegionDescriptor;
import io.tagfabric.wire.BufferRange;
import io.tagfabric.wire.FrameOrigin;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * An active request that was kept: a copy of what it has brought, and the way to answer it, once,
 * until {@code am.reply-timeout} has passed; then it ends with TIMED_OUT at its sender. Actors that
 * are handlers get one. Thread: any.
 */
public final class ReceivedRequest {
  private static final int OPEN = 0;
  private static final int ANSWERED = 1;
  private static final int OVER = 2;

  private final ActiveTarget target;
  private final FrameOrigin origin;
  private final long number;
  private final boolean wantsReply;
  private final int peer;
  private final boolean own;
  private final int handler;
  private final int[] arguments;
  private final byte[] payload;
  private final long regionKey;
  private final long regionOffset;
  private final int length;
  private final AtomicInteger state = new AtomicInteger();
  final long expiresNs;

  ReceivedRequest(ActiveTarget target, FrameOrigin origin, ActiveCall call, long expiresNs) {
    this.target = target;
    this.origin = origin;
    this.expiresNs = expiresNs;
    number = call.number();
    wantsReply = call.wantsReply();
    peer = call.peer();
    own = call.isOwn();
    handler = call.handler();
    arguments = new int[call.argumentCount()];
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] = call.argument(i);
    }
    payload = call.isLong() ? null : call.payload();
    regionKey = call.regionKey();
    regionOffset = call.regionOffset();
    length = call.length();
  }

  /** Index of the sender in the domain's address vector. */
  public int peer() {
    return peer;
  }

  /** Whether the endpoint has sent it to itself. */
  public boolean isOwn() {
    return own;
  }

  /** The index that it was sent to. */
  public int handler() {
    return handler;
  }

  /** Whether its sender waits for a reply; a reply to another goes nowhere. */
  public boolean wantsReply() {
    return wantsReply;
  }

  /** How many arguments it has. */
  public int argumentCount() {
    return arguments.length;
  }

  /**
   * One of its arguments.
   *
   * @throws IndexOutOfBoundsException if there is none of this index
   */
  public int argument(int index) {
    return arguments[index];
  }

  /** Whether its bytes lie in a region of this side. */
  public boolean isLong() {
    return payload == null;
  }

  /** Bytes of its payload, or in the region. */
  public int length() {
    return length;
  }

  /** Key of the region of a long request, 0 of others. */
  public long regionKey() {
    return regionKey;
  }

  /** Where in the region of a long request its bytes lie. */
  public long regionOffset() {
    return regionOffset;
  }

  /**
   * A copy of its payload.
   *
   * @throws IllegalStateException if it is long: nothing of the region is copied
   */
  public byte[] payload() {
    if (payload == null) {
      throw new IllegalStateException("a long request, its bytes lie in the region");
    }
    return payload.clone();
  }

  /**
   * Replies; both arrays are copied.
   *
   * @return false if it is too late: the time has passed, or the sender or this endpoint is gone
   * @throws IllegalArgumentException beyond 16 arguments or {@link ActiveMessages#maxMedium}
   * @throws IllegalStateException if it was answered already
   */
  public boolean reply(int[] replied, byte[] bytes) {
    ActiveBody body = ActiveBody.of(replied, bytes, target.desk().maxMedium());
    if (claimsAnswer()) {
      target.reply(this, body);
      return true;
    }
    return false;
  }

  /**
   * Replies, after bytes of a buffer have been written into a region of the sender. The sender must
   * have said which one, for instance by its descriptor in the payload. The arguments may say where
   * in the region the bytes are.
   *
   * <p>The future completes with true when the bytes are there and the reply leaves, with false if
   * it is too late, as {@link #reply}, and nothing was written. If the region does not take them it
   * fails with NO_KEY or ACCESS, and so does the request at its sender. The buffer is the program's
   * again when it is done. A reply to a request that wants none writes nothing.
   *
   * @param to a region of the sender that allows writes
   * @throws IllegalArgumentException beyond 16 arguments, or if the range is not one of the
   *     buffer's
   * @throws IllegalStateException if it was answered already
   * @source GASNet-EX, gex_AM_ReplyLong
   */
  public CompletionStage<Boolean> replyLong(
      RegionDescriptor to,
      long offset,
      int[] replied,
      DirectBuffer buffer,
      int bufferOffset,
      int bytes) {
    Objects.requireNonNull(to, "to");
    BufferRange.require(buffer, bufferOffset, bytes);
    ActiveBody body = ActiveBody.of(replied, new byte[0], 0);
    DirectBuffer from = new UnsafeBuffer(buffer, bufferOffset, bytes);
    return target.longReplies().start(this, claimsAnswer(), to, offset, body, from);
  }

  /**
   * Claims a place for the payload of the reply, to be written there and committed, once: in the
   * packet that it leaves in, or, if no packet takes {@code leastBytes}, it is too late, or another
   * thread drives the loop, in a buffer of its own. Commit or close it: the packet is kept until
   * then. A commit after {@code am.reply-timeout} says that it is too late.
   *
   * @param replyArguments arguments that the reply will have
   * @param leastBytes the place has at least so many bytes
   * @param mostBytes more are not needed
   * @throws IllegalArgumentException beyond 16 arguments, or if {@code leastBytes} is beyond {@code
   *     mostBytes} or {@link ActiveMessages#maxMedium}
   * @throws IllegalStateException if it was answered already
   * @source GASNet-EX, gex_AM_PrepareReplyMedium
   */
  public ActiveReplyClaim prepareReply(int replyArguments, int leastBytes, int mostBytes) {
    requireUnanswered();
    return target.replyClaims().prepare(this, replyArguments, leastBytes, mostBytes);
  }

  /**
   * Claims a buffer of the program as the place: the reply leaves from there, without a copy
   * before.
   *
   * @param onFree runs on the loop, once, when nothing reads the buffer any more: it has left, or
   *     never will; must not block
   */
  public ActiveReplyClaim prepareReply(
      int replyArguments, MutableDirectBuffer from, int fromOffset, int bytes, Runnable onFree) {
    requireUnanswered();
    return target.replyClaims().prepare(this, replyArguments, from, fromOffset, bytes, onFree);
  }

  private void requireUnanswered() {
    if (state.get() == ANSWERED) {
      throw new IllegalStateException(
          "the request of handler=" + handler + " was answered already, it is answered once");
    }
  }

  /** Whether nobody has answered it, and it is not too late. */
  boolean isOpen() {
    return state.get() == OPEN;
  }

  /** Whether the caller is the one that answers; false if it is too late. */
  boolean claimsAnswer() {
    if (state.compareAndSet(OPEN, ANSWERED)) {
      return true;
    }
    requireUnanswered();
    return false;
  }

  // ---- for the target ----

  FrameOrigin origin() {
    return origin;
  }

  long number() {
    return number;
  }

  /** Nobody answers it any more; false if somebody has. */
  boolean end() {
    return state.compareAndSet(OPEN, OVER);
  }
}
