package io.tagfabric.link.send;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.wire.BufferRange;
import java.util.List;
import java.util.Objects;
import org.agrona.DirectBuffer;

/**
 * A message that is to be sent, with a tag or without. The same one can be posted to a queue,
 * started as a future, told to an endpoint's actor, or deferred until a counter has reached a
 * value; and again when it has completed, with what the buffer has then.
 *
 * <p>The buffer is the endpoint's from the post to the completion. Messages without a tag match
 * receives without a tag, and no others; their completions have {@code tagged=false} and tag 0.
 *
 * <p>Thread: any, one at a time.
 *
 * @source libfabric fi_tagged(3), fi_msg(3)
 */
public final class TaggedSend {
  private final int peer;
  private final DirectBuffer buffer;
  private final int offset;
  private final int length;
  private final long tag;
  private final boolean untagged;

  /** What the message consists of if it is of several buffers; else null. */
  private final List<? extends DirectBuffer> parts;

  private boolean hasData;
  private long data;

  /** Null before {@link #with}. */
  private SendOptions options;

  private TaggedSend(
      int peer,
      DirectBuffer buffer,
      int offset,
      int length,
      long tag,
      boolean untagged,
      List<? extends DirectBuffer> parts) {
    this.peer = peer;
    this.buffer = buffer;
    this.offset = offset;
    this.length = length;
    this.tag = tag;
    this.untagged = untagged;
    this.parts = parts;
  }

  /**
   * Bytes of a buffer.
   *
   * @param peer index in the domain's address vector
   * @throws IllegalArgumentException if the bytes do not lie in the buffer
   */
  public static TaggedSend of(int peer, DirectBuffer buffer, int offset, int length, long tag) {
    BufferRange.require(buffer, offset, length);
    return new TaggedSend(peer, buffer, offset, length, tag, false, null);
  }

  /** A whole buffer. */
  public static TaggedSend of(int peer, DirectBuffer bytes, long tag) {
    return of(peer, bytes, 0, Objects.requireNonNull(bytes, "bytes").capacity(), tag);
  }

  /** Bytes of a buffer, without a tag. */
  public static TaggedSend untagged(int peer, DirectBuffer buffer, int offset, int length) {
    BufferRange.require(buffer, offset, length);
    return new TaggedSend(peer, buffer, offset, length, 0, true, null);
  }

  /** A whole buffer, without a tag. */
  public static TaggedSend untagged(int peer, DirectBuffer bytes) {
    return untagged(peer, bytes, 0, Objects.requireNonNull(bytes, "bytes").capacity());
  }

  /**
   * The bytes of several buffers, one behind the other. They are copied when it is posted, so the
   * buffers may be used again then.
   *
   * @param parts whole buffers; none at all is an empty message
   * @source libfabric fi_tagged(3), fi_tsendv
   */
  public static TaggedSend ofParts(int peer, List<? extends DirectBuffer> parts, long tag) {
    int length = BufferRange.capacityOf(parts);
    return new TaggedSend(peer, null, 0, length, tag, false, List.copyOf(parts));
  }

  /**
   * The same without a tag.
   *
   * @source libfabric fi_msg(3), fi_sendv
   */
  public static TaggedSend untaggedOfParts(int peer, List<? extends DirectBuffer> parts) {
    int length = BufferRange.capacityOf(parts);
    return new TaggedSend(peer, null, 0, length, 0, true, List.copyOf(parts));
  }

  // ---- how ----

  /** Sets how it is sent. Without options it completes at level INJECT. */
  public TaggedSend with(SendOptions newOptions) {
    options = Objects.requireNonNull(newOptions, "options");
    return this;
  }

  /** It completes at a level. */
  public TaggedSend level(CompletionLevel level) {
    return with((options == null ? SendOptions.DEFAULT : options).at(level));
  }

  /** It carries 8 bytes of immediate data, which the receiver finds in its completion. */
  public TaggedSend data(long newData) {
    hasData = true;
    data = newData;
    return this;
  }

  // ---- for those who send it ----

  @InternalApi
  public int peer() {
    return peer;
  }

  @InternalApi
  public int length() {
    return length;
  }

  @InternalApi
  public int offset() {
    return offset;
  }

  @InternalApi
  public long tag() {
    return tag;
  }

  @InternalApi
  public boolean isUntagged() {
    return untagged;
  }

  @InternalApi
  public boolean hasData() {
    return hasData;
  }

  @InternalApi
  public long data() {
    return data;
  }

  /** The buffer that has its bytes; a copy if they are of several. */
  @InternalApi
  public DirectBuffer bytes() {
    return parts == null ? buffer : BufferRange.gather(parts, length);
  }

  /** How it is sent; null if nobody has said it. */
  @InternalApi
  public SendOptions options() {
    return options;
  }

  @InternalApi
  public boolean isImmediate() {
    return options != null && options.immediate();
  }

  /**
   * The operation that sends it once.
   *
   * @param listener hears of its end; null for the endpoint's transmit queue
   */
  @InternalApi
  public SendOperation operation(Object context, SendListener listener) {
    CompletionLevel level = options == null ? CompletionLevel.INJECT : options.level();
    SendOperation operation = new SendOperation(peer, level, context, listener);
    operation.show(tag, bytes(), offset, length);
    if (hasData) {
      operation.showData(data);
    }
    if (untagged) {
      operation.showUntagged();
    }
    if (options != null && options.fenced()) {
      operation.fence();
    }
    return operation;
  }
}
