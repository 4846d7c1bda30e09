package io.tagfabric.active;

import io.tagfabric.memory.RegionDescriptor;
import io.tagfabric.wire.BufferRange;
import io.tagfabric.wire.FrameOrigin;
import io.tagfabric.wire.Packet;
import io.tagfabric.wire.PacketLayout;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A request that a handler has been called with: who sent it, what it brings, and the way to reply.
 * Valid during the call only; later each method throws an {@link IllegalStateException}. Thread:
 * the domain's loop.
 */
public final class ActiveCall {
  private static final byte[] NO_BYTES = {};

  private final ActiveTarget target;
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
  private ActivePlace replyPlace;
  private ActiveReplyClaim claim;
  private ReceivedRequest kept;
  private boolean over;

  /**
   * A call.
   *
   * @param arguments where its arguments are
   * @param buffer where its payload is
   */
  ActiveCall(
      ActiveTarget target,
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
    this.target = target;
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
    reply = ActiveBody.of(arguments, payload, target.desk().maxMedium());
  }

  /** Replies with arguments only; otherwise as {@link #reply(int[], byte[])}. */
  public void reply(int... arguments) {
    reply(arguments, NO_BYTES);
  }

  /**
   * Claims a place for the payload of the reply, in the packet that it leaves in; if none takes
   * {@code leastBytes}, in a buffer of its own. Commit it before the handler returns.
   *
   * @param argumentCount arguments that the reply will have
   * @param leastBytes the place has at least so many bytes
   * @param mostBytes more are not needed
   * @throws IllegalArgumentException beyond 16 arguments, or if {@code leastBytes} is beyond {@code
   *     mostBytes} or {@link ActiveMessages#maxMedium}
   * @throws IllegalStateException if it has replied already, or another claim is open
   */
  public ActiveReplyClaim prepareReply(int argumentCount, int leastBytes, int mostBytes) {
    requireClaimable(argumentCount, leastBytes, mostBytes);
    int overhead = ActiveFrames.REPLY_OVERHEAD + argumentCount * Integer.BYTES;
    int most = Math.min(mostBytes, target.desk().maxMedium());
    int room = ActiveFrames.room(origin.maxFrameBytes(), overhead);
    if (room >= leastBytes) {
      int capacity = Math.min(most, room);
      Packet packet = origin.prepare(PacketLayout.aligned(overhead + capacity));
      int placeAt = Packet.HEADER_LENGTH + overhead;
      ActivePlace place = ActivePlace.of(packet);
      claim = claim(place, packet.buffer(), placeAt, capacity, argumentCount);
    } else {
      UnsafeBuffer own = new UnsafeBuffer(new byte[most]);
      claim = claim(null, own, 0, most, argumentCount);
    }
    return claim;
  }

  private ActiveReplyClaim claim(
      ActivePlace place, MutableDirectBuffer into, int intoAt, int capacity, int argumentCount) {
    return new ActiveReplyClaim(new Replier(), place, into, intoAt, capacity, argumentCount);
  }

  /**
   * Claims a buffer of the program as the place: the reply leaves from there, without a copy
   * before.
   *
   * @param onFree runs on the loop, once, when nothing reads the buffer any more: it has left, or
   *     never will; must not block
   */
  public ActiveReplyClaim prepareReply(
      int argumentCount, MutableDirectBuffer from, int fromOffset, int bytes, Runnable onFree) {
    requireClaimable(argumentCount, bytes, bytes);
    BufferRange.require(from, fromOffset, bytes);
    Objects.requireNonNull(onFree, "onFree");
    ActivePlace place = ActivePlace.of(() -> target.desk().tell(onFree));
    claim = claim(place, from, fromOffset, bytes, argumentCount);
    return claim;
  }

  private void requireClaimable(int argumentCount, int leastBytes, int mostBytes) {
    requireValid();
    requireUnanswered();
    ActiveClaim.require(argumentCount, leastBytes, mostBytes, target.desk().maxMedium());
    if (claim != null && claim.isOpen()) {
      throw new IllegalStateException("a claim for the reply is open, commit or close it first");
    }
  }

  /** What claims for the reply tell it. */
  private final class Replier implements ActiveReplyClaim.Replier {
    @Override
    public boolean reply(ActiveBody body, ActivePlace place) {
      requireValid();
      requireUnanswered();
      reply = body;
      replyPlace = place;
      return true;
    }

    @Override
    public void giveUp(ActivePlace place) {
      place.giveUp();
    }
  }

  /** Keeps the request, and replies as {@link ReceivedRequest#replyLong}. */
  public CompletionStage<Boolean> replyLong(
      RegionDescriptor to,
      long offset,
      int[] replied,
      DirectBuffer from,
      int fromOffset,
      int bytes) {
    Objects.requireNonNull(to, "to");
    BufferRange.require(from, fromOffset, bytes);
    ActiveBody.require(replied, 0, 0);
    return keep().replyLong(to, offset, replied, from, fromOffset, bytes);
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
    kept = target.keep(origin, this);
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

  // ---- for the target ----

  long number() {
    return number;
  }

  /** The handler has returned or thrown. */
  void end() {
    if (claim != null) {
      claim.close();
    }
    over = true;
  }

  /** What the handler has replied leaves nowhere. */
  void dropReply() {
    if (replyPlace != null) {
      replyPlace.free();
      replyPlace = null;
    }
  }

  /** Where the payload of the reply lies; null if it was copied. */
  ActivePlace replyPlace() {
    return replyPlace;
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
