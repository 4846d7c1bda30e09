package io.tagfabric.match;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.complete.CompletionRing;
import io.tagfabric.complete.Completions;
import io.tagfabric.match.table.WaitingReceive;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.wire.BufferRange;
import java.util.List;
import java.util.Objects;
import org.agrona.MutableDirectBuffer;

/**
 * A receive that an endpoint has accepted: what it matches, where the bytes go and what hears of
 * its end.
 *
 * <p>Without a buffer, memory of the message's own length is taken when it matches. Without a
 * listener, the completion goes to the endpoint's receive queue.
 */
@InternalApi
public class PostedReceive extends WaitingReceive {
  /** Fields that few receives need, kept apart so that all others stay small. */
  private record Special(
      Claim claim,
      ManyMessages many,
      ManyMessages partOf,
      int position,
      List<? extends MutableDirectBuffer> parts,
      PlacedListener told) {}

  private Object context;
  private final ReceiveListener listener;
  private MutableDirectBuffer buffer;
  private int offset;
  private int capacity;
  private CompletionRing slotIn;
  private Special special;
  private boolean silent;
  private boolean untagged;
  private boolean internal;
  private boolean counted;
  private boolean begun;
  private boolean ended;
  private boolean lent;

  /** Lent, and nothing has been asked of it since. */
  private boolean plain;

  /** The recorder's number of the operation, 0 if it has none. */
  public long traced;

  private PostedReceive(
      long tag, long ignore, int source, Object context, ReceiveListener listener) {
    super(tag, ignore, source);
    this.context = context;
    this.listener = listener;
  }

  /** A receive into the buffer that {@link #into} gives it before it is posted. */
  PostedReceive(long tag, long ignore, int source, Object context) {
    this(tag, ignore, source, context, null);
  }

  /** A receive of a whole message, told to a listener. */
  public PostedReceive(
      TagSelector selector, int maxLength, Object context, ReceiveListener listener) {
    this(selector.tag(), selector.ignore(), selector.source(), context, listener);
    capacity = maxLength;
  }

  /**
   * A receive without a buffer, told to a listener with its message.
   *
   * @throws IllegalArgumentException if it has a buffer
   */
  public static PostedReceive ofMessage(
      TaggedReceive wanted, Object context, ReceiveListener listener) {
    Objects.requireNonNull(listener, "listener");
    return new PostedReceive(wanted.requireNoBuffer(), context, listener, null);
  }

  /**
   * A receive into a buffer, told to a listener.
   *
   * @param told null if it completes in a queue, whose slot somebody else has reserved
   * @throws IllegalArgumentException if it has no buffer
   */
  public static PostedReceive into(TaggedReceive wanted, Object context, PlacedListener told) {
    return new PostedReceive(wanted.requireBuffer(), context, null, told);
  }

  /**
   * A receive that completes in a queue, where its slots are reserved: one, or two if it takes many
   * messages, for a failure and for the end.
   *
   * @param defaults which of its ends leave an entry, unless it says that
   * @return null if the queue has no slot
   * @throws IllegalArgumentException if it has no buffer
   */
  public static PostedReceive reserve(
      CompletionQueue queue, TaggedReceive wanted, Completions defaults, Object context) {
    PostedReceive receive = into(wanted, context, null);
    if (wanted.completions() == null && defaults == Completions.ERRORS) {
      receive.silence();
    }
    CompletionRing ring = queue.ring();
    if (!ring.tryReserve()) {
      return null;
    }
    if (wanted.takesMany() && !ring.tryReserve()) {
      ring.release();
      return null;
    }
    receive.slotIn = ring;
    return receive;
  }

  /** A receive of one message with a tag; its slot is reserved, its arguments are checked. */
  public static PostedReceive reserved(
      CompletionRing slotIn,
      MutableDirectBuffer buffer,
      int offset,
      int capacity,
      long tag,
      long ignore,
      int source,
      Object context) {
    PostedReceive receive = new PostedReceive(tag, ignore, source, context);
    receive.into(buffer, offset, capacity);
    receive.slotIn = slotIn;
    return receive;
  }

  /** One that is lent for one receive after the other. */
  public PostedReceive() {
    this(0, 0, TagSelector.ANY_SOURCE, null, null);
  }

  /**
   * A receive as a program has described it.
   *
   * @param listener hears of its end, with the message; null if it has a buffer
   * @param told hears of what comes into the buffer; null for the queue
   */
  PostedReceive(
      TaggedReceive wanted, Object context, ReceiveListener listener, PlacedListener told) {
    this(
        wanted.selector().tag(),
        wanted.selector().ignore(),
        wanted.selector().source(),
        context,
        listener);
    buffer = wanted.buffer();
    offset = wanted.offset();
    capacity = wanted.capacity();
    untagged = wanted.isUntagged();
    silent = wanted.completions() == Completions.ERRORS;
    boolean many = wanted.takesMany();
    internal = many; // its parts are counted
    if (many || wanted.claim() != null || wanted.parts() != null || told != null) {
      ManyMessages messages = many ? new ManyMessages(this, wanted.leastFree()) : null;
      special = new Special(wanted.claim(), messages, null, 0, wanted.parts(), told);
    }
  }

  /**
   * Says where the bytes go.
   *
   * @throws NullPointerException without a buffer
   * @throws IllegalArgumentException if the bytes do not lie in it
   */
  public final void into(MutableDirectBuffer newBuffer, int newOffset, int newCapacity) {
    BufferRange.require(newBuffer, newOffset, newCapacity);
    buffer = newBuffer;
    offset = newOffset;
    capacity = newCapacity;
  }

  /** Whose message it takes; null if it matches one. */
  public final Claim claim() {
    return special == null ? null : special.claim;
  }

  /** Where the slot of its completion is reserved; null if nowhere. */
  public final CompletionRing slotIn() {
    return slotIn;
  }

  /** It takes messages without a tag, and no others. */
  public final void untagged() {
    untagged = true;
    plain = false;
  }

  /** Whether it takes messages without a tag. */
  public final boolean isUntagged() {
    return untagged;
  }

  /** How far its buffer is, null if it takes one message. */
  public final ManyMessages many() {
    return special == null ? null : special.many;
  }

  /** A receive of one of its many messages. */
  final PostedReceive part(int at, int length) {
    PostedReceive part = new PostedReceive(tag(), ignore(), source(), context);
    part.into(buffer, offset + at, length);
    part.slotIn = slotIn;
    part.untagged = untagged;
    part.special = new Special(null, null, special.many, at, null, special.told);
    return part;
  }

  /** The buffer that it is a part of, null if none. */
  public final ManyMessages partOf() {
    return special == null ? null : special.partOf;
  }

  /** Where its bytes begin in the buffer that was posted. */
  public final int position() {
    return special == null ? 0 : special.position;
  }

  /** A success shall leave no entry in the queue. */
  public final void silence() {
    silent = true;
    plain = false;
  }

  /** Whether success leaves no entry in the queue. */
  public final boolean isSilent() {
    return silent;
  }

  /** It is no receive of a program's, and nothing counts it. */
  public final void internal() {
    internal = true;
  }

  /** It shall be counted when it ends; false if it is no program's, or is counted already. */
  public final boolean count() {
    boolean first = !internal && !counted;
    counted |= first;
    plain &= !counted;
    return first;
  }

  /** Whether it is counted. */
  public final boolean isCounted() {
    return counted;
  }

  /** Hears of what comes into its buffer; null for the queue, or the listener of messages. */
  public final PlacedListener told() {
    return special == null ? null : special.told;
  }

  /** The buffers that its bytes go to if there are several; null if there are not. */
  public final List<? extends MutableDirectBuffer> parts() {
    return special == null ? null : special.parts;
  }

  /** A message may have so many bytes, unless the program has said it. */
  public final void atMost(int most) {
    if (capacity == TaggedReceive.ANY_LENGTH) {
      capacity = most;
    }
  }

  /** Where the bytes go, null if memory is taken at the match. */
  public final MutableDirectBuffer buffer() {
    return buffer;
  }

  public final int offset() {
    return offset;
  }

  /** Bytes there is room for. */
  public final int capacity() {
    return capacity;
  }

  /** Whether the buffer still has the room: a program may have wrapped it around other bytes. */
  public final boolean hasItsBuffer() {
    return buffer == null
        ? parts() == null || capacity <= BufferRange.capacityOf(parts())
        : offset + capacity <= buffer.capacity();
  }

  /** Why a receive fails that {@link #hasItsBuffer} no more. */
  public final String lostItsBuffer() {
    return "offset="
        + offset
        + " lengthBytes="
        + capacity
        + " do not lie in the buffer any more, capacity="
        + (buffer == null ? BufferRange.capacityOf(parts()) : buffer.capacity())
        + "; leave it alone until the completion";
  }

  /** What the program handed in; may be null. */
  public final Object context() {
    return context;
  }

  /** Whether nobody has begun with a receive that was told; then the caller does. On the loop. */
  public final boolean begin() {
    boolean first = !begun;
    begun = true;
    return first;
  }

  /** Whether it has not ended before; then the caller tells its outcome. On the loop. */
  public final boolean end() {
    boolean first = !ended;
    ended = true;
    return first;
  }

  public final ReceiveListener listener() {
    return listener;
  }

  /** Who hears of an end that nothing is made for; null unless it is a {@link RepeatedReceive}. */
  public RepeatedReceive.Listener hearer() {
    return null;
  }

  /** Whether a listener hears of its end, and not the queue. */
  public final boolean isTold() {
    return listener != null || hearer() != null || told() != null;
  }

  /** It is posted once more, for messages with another tag. */
  final void renew(long tag) {
    select(tag, ignore(), source());
    begun = false;
    ended = false;
  }

  /** It is lent for another receive of one message into a buffer of the program. */
  public final void lend(
      CompletionRing ring,
      MutableDirectBuffer newBuffer,
      int newOffset,
      int newCapacity,
      long tag,
      long ignore,
      int source,
      Object newContext) {
    select(tag, ignore, source);
    buffer = newBuffer;
    offset = newOffset;
    capacity = newCapacity;
    slotIn = ring;
    context = newContext;
    silent = false;
    untagged = false;
    counted = false;
    begun = true;
    ended = false;
    traced = 0;
    lent = true;
    plain = true;
  }

  /**
   * Whether it is one of the many of which nothing is asked but an entry in the queue: it takes one
   * message with a tag into one buffer, and nobody counts it.
   */
  public final boolean isPlain() {
    return plain;
  }

  /** Whether it is lent, and nobody has given it back. */
  public final boolean isLent() {
    return lent;
  }

  /** It keeps nothing of the program. */
  public final void giveBack() {
    lent = false;
    plain = false;
    buffer = null;
    context = null;
  }
}
