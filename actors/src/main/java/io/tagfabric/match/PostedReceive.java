package io.tagfabric.match;

import io.tagfabric.tag.TagSelector;
import org.agrona.MutableDirectBuffer;

/**
 * A receive that an endpoint has accepted: what it matches, where the bytes go and who is told.
 *
 * <p>Without a buffer, memory of the message's own length is taken when it matches. Without a
 * listener, the completion goes to the endpoint's receive queue.
 */
public class PostedReceive extends PostedEntry {
  private final MutableDirectBuffer buffer;
  private final int offset;
  private final int capacity;
  private final Object context;
  private final ReceiveListener listener;

  /** A receive into a buffer. */
  public PostedReceive(
      TagSelector selector, MutableDirectBuffer buffer, int offset, int capacity, Object context) {
    this(selector.tag(), selector.ignore(), selector.source(), buffer, offset, capacity, context);
  }

  /** The same without a selector object. */
  public PostedReceive(
      long tag,
      long ignore,
      int source,
      MutableDirectBuffer buffer,
      int offset,
      int capacity,
      Object context) {
    super(tag, ignore, source);
    this.buffer = buffer;
    this.offset = offset;
    this.capacity = capacity;
    this.context = context;
    this.listener = null;
  }

  /** A receive of a whole message of at most {@code maxLength} bytes, told to a listener. */
  public PostedReceive(
      TagSelector selector, int maxLength, Object context, ReceiveListener listener) {
    super(selector.tag(), selector.ignore(), selector.source());
    this.buffer = null;
    this.offset = 0;
    this.capacity = maxLength;
    this.context = context;
    this.listener = listener;
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

  /** What the program handed in; may be null. */
  public final Object context() {
    return context;
  }

  final ReceiveListener listener() {
    return listener;
  }
}
