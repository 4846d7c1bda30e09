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
  private final Object context;
  private final ReceiveListener listener;
  private MutableDirectBuffer buffer;
  private int offset;
  private int capacity;
  private boolean begun;

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

  /** A receive into a buffer. */
  public PostedReceive(
      TagSelector selector, MutableDirectBuffer buffer, int offset, int capacity, Object context) {
    this(selector.tag(), selector.ignore(), selector.source(), context);
    into(buffer, offset, capacity);
  }

  /** A receive of a whole message of at most {@code maxLength} bytes, told to a listener. */
  public PostedReceive(
      TagSelector selector, int maxLength, Object context, ReceiveListener listener) {
    this(selector.tag(), selector.ignore(), selector.source(), context, listener);
    this.capacity = maxLength;
  }

  /** Says where the bytes go. */
  public final void into(MutableDirectBuffer newBuffer, int newOffset, int newCapacity) {
    buffer = newBuffer;
    offset = newOffset;
    capacity = newCapacity;
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

  /** Whether nobody has begun with a receive that was told; then the caller does. On the loop. */
  final boolean begin() {
    boolean first = !begun;
    begun = true;
    return first;
  }

  final ReceiveListener listener() {
    return listener;
  }
}
