package io.tagfabric.match;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.Completions;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.wire.BufferRange;
import java.util.List;
import java.util.Objects;
import org.agrona.MutableDirectBuffer;

/**
 * A receive that is to be posted: which messages it takes, with a tag or without, and where their
 * bytes go. The same one can be posted to a queue, started as a future, told to an endpoint's
 * matcher, or deferred until a counter has reached a value; and again, with the same buffer when it
 * has completed.
 *
 * <p>With {@link #into} the bytes go to a buffer of the program, which is the endpoint's from the
 * post to the completion; a longer message completes as {@link Completion.Failed} with TRUNCATED
 * and the bytes that fit. Without, the message comes in memory of its own; that is for futures,
 * actors and listeners, since a queue holds no messages.
 *
 * <p>Thread: any, one at a time.
 *
 * @source libfabric fi_tagged(3), fi_msg(3)
 */
public final class TaggedReceive {
  /** A length that the endpoint's longest message sets. */
  static final int ANY_LENGTH = -1;

  private final TagSelector selector;
  private final boolean untagged;
  private final Claim claim;
  private MutableDirectBuffer buffer;
  private int offset;
  private int capacity = ANY_LENGTH;

  /** Where the bytes go if that is more than one buffer; else null. */
  private List<? extends MutableDirectBuffer> parts;

  /** 0 if it takes one message. */
  private int leastFree;

  /** Null for what the endpoint was opened with. */
  private Completions completions;

  private TaggedReceive(TagSelector selector, boolean untagged, Claim claim) {
    this.selector = selector;
    this.untagged = untagged;
    this.claim = claim;
  }

  /** Takes the earliest message with a tag that fits. */
  public static TaggedReceive of(TagSelector selector) {
    return new TaggedReceive(Objects.requireNonNull(selector, "selector"), false, null);
  }

  /**
   * Takes the earliest message that was sent without a tag.
   *
   * @param source a peer's index, or {@link TagSelector#ANY_SOURCE}
   */
  public static TaggedReceive untagged(int source) {
    return new TaggedReceive(new TagSelector(0, 0, source), true, null);
  }

  /**
   * Takes the message of a claim. It fails with INVALID if the claim holds none of this endpoint;
   * and if the message's sender is lost, or has cancelled it, before all bytes have come, with the
   * error of that.
   *
   * @source libfabric fi_tagged(3), FI_CLAIM
   */
  public static TaggedReceive of(Claim claim) {
    return new TaggedReceive(TagSelector.any(), false, Objects.requireNonNull(claim, "claim"));
  }

  // ---- where ----

  /**
   * Into bytes of a buffer.
   *
   * @throws IllegalArgumentException if the bytes do not lie in the buffer
   */
  public TaggedReceive into(MutableDirectBuffer newBuffer, int newOffset, int newCapacity) {
    BufferRange.require(newBuffer, newOffset, newCapacity);
    return into(newBuffer, newOffset, newCapacity, null);
  }

  /** Into a whole buffer. */
  public TaggedReceive into(MutableDirectBuffer bytes) {
    return into(bytes, 0, Objects.requireNonNull(bytes, "bytes").capacity());
  }

  /**
   * Into several buffers, whose bytes are filled one behind the other.
   *
   * @param newParts whole buffers
   * @source libfabric fi_tagged(3), fi_trecvv
   */
  public TaggedReceive into(List<? extends MutableDirectBuffer> newParts) {
    int room = BufferRange.capacityOf(newParts);
    return into(null, 0, room, List.copyOf(newParts));
  }

  private TaggedReceive into(
      MutableDirectBuffer newBuffer,
      int newOffset,
      int newCapacity,
      List<? extends MutableDirectBuffer> newParts) {
    buffer = newBuffer;
    offset = newOffset;
    capacity = newCapacity;
    parts = newParts;
    return checked();
  }

  /**
   * Without a buffer: a longer message fails with TRUNCATED. Unless set, {@code
   * endpoint.max-message-size} of the endpoint is the limit.
   *
   * @throws IllegalArgumentException if it is negative, or there is a buffer
   */
  public TaggedReceive atMost(int maxLength) {
    if (hasBuffer()) {
      throw new IllegalArgumentException(
          "maxLength=" + maxLength + " beside a buffer, whose capacity=" + capacity + " counts");
    }
    requireRoom(maxLength);
    capacity = maxLength;
    return this;
  }

  // ---- how ----

  /**
   * It takes many messages into its buffer: they lie one behind the other, in the order matched.
   *
   * <p>Completes: a {@link Completion.Received}, or {@link Completion.Failed}, for each message,
   * with where in the buffer it begins; and once {@link Completion.Released}, when the buffer is
   * the program's again. That is when fewer than {@code newLeastFree} bytes are free, or the next
   * message does not fit into what is free, which the next receive takes then; a message longer
   * than the whole buffer is truncated. When it is cancelled, or the endpoint or the peer that it
   * names is gone, a Failed with that comes before. Until then only the bytes of messages that were
   * told may be read.
   *
   * <p>In a queue two slots are reserved. Each message takes another when it is matched: while
   * there is none, it waits as unexpected, until the queue is read, and receives posted later wait
   * with it for messages that both would take.
   *
   * @param newLeastFree at least 1
   * @throws IllegalArgumentException if it is below 1 or above the bytes of the buffer
   * @source libfabric fi_msg(3), FI_MULTI_RECV and FI_OPT_MIN_MULTI_RECV
   */
  public TaggedReceive many(int newLeastFree) {
    if (newLeastFree < 1) {
      throw refusedLeast(newLeastFree);
    }
    leastFree = newLeastFree;
    return checked();
  }

  private IllegalArgumentException refusedLeast(int least) {
    return new IllegalArgumentException(
        "leastFree="
            + least
            + " is outside 1.."
            + (hasBuffer() ? capacity : Integer.MAX_VALUE)
            + ", the bytes of the buffer: it would take no message");
  }

  private TaggedReceive checked() {
    if (leastFree > 0 && (parts != null || claim != null)) {
      throw new IllegalArgumentException(
          parts != null
              ? "parts=" + parts.size() + ": many messages go into one buffer, pass that"
              : "a claim holds one message, do not ask for many");
    }
    if (leastFree > 0 && hasBuffer() && leastFree > capacity) {
      throw refusedLeast(leastFree);
    }
    return this;
  }

  /** Sets which of its ends leave an entry in the queue. Failures always do. */
  public TaggedReceive completions(Completions newCompletions) {
    completions = Objects.requireNonNull(newCompletions, "completions");
    return this;
  }

  // ---- for those who post it ----

  @InternalApi
  public TagSelector selector() {
    return selector;
  }

  @InternalApi
  public boolean isUntagged() {
    return untagged;
  }

  /** Whether its bytes go to memory of the program. */
  @InternalApi
  public boolean hasBuffer() {
    return buffer != null || parts != null;
  }

  @InternalApi
  public boolean takesMany() {
    return leastFree > 0;
  }

  /** One message with a tag into one buffer. */
  @InternalApi
  public boolean isPlain() {
    return buffer != null && leastFree == 0 && !untagged && claim == null;
  }

  @InternalApi
  public MutableDirectBuffer buffer() {
    return buffer;
  }

  @InternalApi
  public int offset() {
    return offset;
  }

  /** Bytes there is room for; {@link #ANY_LENGTH} if the endpoint says it. */
  @InternalApi
  public int capacity() {
    return capacity;
  }

  List<? extends MutableDirectBuffer> parts() {
    return parts;
  }

  int leastFree() {
    return leastFree;
  }

  Claim claim() {
    return claim;
  }

  /** Which ends leave an entry; null if nobody has said it. */
  @InternalApi
  public Completions completions() {
    return completions;
  }

  /**
   * Refuses one without a buffer.
   *
   * @throws IllegalArgumentException if it has none
   */
  @InternalApi
  public TaggedReceive requireBuffer() {
    if (!hasBuffer()) {
      throw new IllegalArgumentException(
          "buffer=null: a completion holds no message, say with into(…) where its bytes go, or"
              + " receive it by a future, an actor or a listener of messages");
    }
    return this;
  }

  /**
   * Refuses one with a buffer, or that needs one.
   *
   * @throws IllegalArgumentException if it has one
   */
  @InternalApi
  public TaggedReceive requireNoBuffer() {
    if (hasBuffer() || leastFree > 0) {
      throw new IllegalArgumentException(
          "capacity="
              + capacity
              + " leastFree="
              + leastFree
              + ": its bytes go to a buffer of the program, so it completes as Completion and not"
              + " with the message");
    }
    return this;
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
}
