package io.tagfabric.match;

import io.tagfabric.complete.CompletionRing;
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
public class PostedReceive extends WaitingReceive {
  /** Fields that few receives need, kept apart so that all others stay small. */
  private record Special(
      Claim claim,
      ManyMessages many,
      ManyMessages partOf,
      int position,
      List<? extends MutableDirectBuffer> parts) {}

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
  long traced;

  private PostedReceive(
      long tag, long ignore, int source, Object context, ReceiveListener listener) {
    super(tag, ignore, source);
    this.context = context;
    this.listener = listener;
  }

  /** A receive into the buffer that {@link #into} gives it before it is posted. */
  public PostedReceive(long tag, long ignore, int source, Object context) {
    this(tag, ignore, source, context, null);
  }

  /** One for {@link SpareReceives}. */
  PostedReceive() {
    this(0, 0, TagSelector.ANY_SOURCE, null, null);
  }

  /** A receive into a buffer. */
  public PostedReceive(
      TagSelector selector, MutableDirectBuffer buffer, int offset, int capacity, Object context) {
    this(selector.tag(), selector.ignore(), selector.source(), context);
    into(buffer, offset, capacity);
  }

  /** A receive of a whole message of at most {@code maxLength} bytes, told to a listener. */
  public PostedReceive(
      TagSelector selector, int maxLength, Object context, ReceiveListener listener) {
    this(
        Objects.requireNonNull(selector, "selector").tag(),
        selector.ignore(),
        selector.source(),
        context,
        Objects.requireNonNull(listener, "listener"));
    requireRoom(maxLength);
    this.capacity = maxLength;
  }

  /**
   * Refuses a length that no message has.
   *
   * @throws IllegalArgumentException if it is negative
   */
  static void requireRoom(int maxLength) {
    if (maxLength < 0) {
      throw new IllegalArgumentException(
          "maxLength=" + maxLength + " < 0, pass the bytes of the longest message to take");
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

  /** Says that it takes the message of a claim, and no other. */
  final void from(Claim newClaim) {
    plain = false;
    special = new Special(newClaim, null, null, 0, List.of());
  }

  /** Whose message it takes; null if it matches one. */
  final Claim claim() {
    return special == null ? null : special.claim;
  }

  /** Says where the slot of its completion is reserved. */
  final void slotIn(CompletionRing ring) {
    slotIn = ring;
  }

  /** Where the slot of its completion is reserved; null if nowhere. */
  final CompletionRing slotIn() {
    return slotIn;
  }

  /** It takes messages without a tag, and no others. */
  public final void untagged() {
    untagged = true;
    plain = false;
  }

  /** Whether it takes messages without a tag. */
  final boolean isUntagged() {
    return untagged;
  }

  /** What it takes, for people and programs. */
  final TagMatcher.ReceiveInfo info() {
    return new TagMatcher.ReceiveInfo(!untagged, new TagSelector(tag(), ignore(), source()));
  }

  /**
   * It takes many messages, until fewer bytes than these are free.
   *
   * @param leastFree at least 1
   * @param manyListener hears of them; null if they go to the queue
   */
  final void many(int leastFree, ManyListener manyListener) {
    plain = false;
    special =
        new Special(null, new ManyMessages(this, leastFree, manyListener), null, 0, List.of());
    internal = true;
  }

  /** How far its buffer is, null if it takes one message. */
  final ManyMessages many() {
    return special == null ? null : special.many;
  }

  /** A receive of one of its many messages. */
  final PostedReceive part(int at, int length) {
    PostedReceive part = new PostedReceive(tag(), ignore(), source(), context);
    part.into(buffer, offset + at, length);
    part.slotIn = slotIn;
    part.untagged = untagged;
    part.special = new Special(null, null, special.many, at, List.of());
    return part;
  }

  /** The buffer that it is a part of, null if none. */
  final ManyMessages partOf() {
    return special == null ? null : special.partOf;
  }

  /** Where its bytes begin in the buffer that was posted. */
  final int position() {
    return special == null ? 0 : special.position;
  }

  /** A success shall leave no entry in the queue. */
  public final void silence() {
    silent = true;
    plain = false;
  }

  /** Whether success leaves no entry in the queue. */
  final boolean isSilent() {
    return silent;
  }

  /** It is no receive of a program's, and nothing counts it. */
  public final void internal() {
    internal = true;
  }

  /** It shall be counted when it ends; false if it is no program's, or is counted already. */
  final boolean count() {
    boolean first = !internal && !counted;
    counted |= first;
    plain &= !counted;
    return first;
  }

  /** Whether it is counted. */
  final boolean isCounted() {
    return counted;
  }

  /** Its buffer is not the program's: what comes is copied to these when it has ended. */
  final void scatterTo(List<? extends MutableDirectBuffer> parts) {
    plain = false;
    special = new Special(null, null, null, 0, parts);
  }

  /** Copies what has come to where the program wants it, if that is elsewhere. */
  final void scatter(long placed) {
    if (special == null) {
      return;
    }
    int at = 0;
    for (MutableDirectBuffer part : special.parts) {
      int length = (int) Math.min(part.capacity(), placed - at);
      part.putBytes(0, buffer, offset + at, length);
      at += length;
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
  final boolean hasItsBuffer() {
    return buffer == null || offset + capacity <= buffer.capacity();
  }

  /** Why a receive fails that {@link #hasItsBuffer} no more. */
  final String lostItsBuffer() {
    return "offset="
        + offset
        + " lengthBytes="
        + capacity
        + " do not lie in the buffer any more, capacity="
        + buffer.capacity()
        + "; leave it alone until the completion";
  }

  /** What the program handed in; may be null. */
  public final Object context() {
    return context;
  }

  /** Whether nobody has begun with a receive that was told; then the caller does. On the loop. */
  final boolean begin() {
    boolean first = !begun;
    begun = true;
    return first;
  }

  /** Whether it has not ended before; then the caller tells its outcome. On the loop. */
  final boolean end() {
    boolean first = !ended;
    ended = true;
    return first;
  }

  final ReceiveListener listener() {
    return listener;
  }

  /** Who hears of an end that nothing is made for; null unless it is a {@link RepeatedReceive}. */
  RepeatedReceive.Listener hearer() {
    return null;
  }

  /** Whether a listener hears of its end, and not the queue. */
  final boolean isTold() {
    return listener != null || hearer() != null || (many() != null && many().listener() != null);
  }

  /** It is posted once more, for messages with another tag. */
  final void renew(long tag) {
    select(tag, ignore(), source());
    begun = false;
    ended = false;
  }

  /** It is lent for another receive of one message into a buffer of the program. */
  final void lend(
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
  final boolean isPlain() {
    return plain;
  }

  /** Whether it is lent, and nobody has given it back. */
  final boolean isLent() {
    return lent;
  }

  /** It keeps nothing of the program. */
  final void giveBack() {
    lent = false;
    plain = false;
    buffer = null;
    context = null;
  }
}
