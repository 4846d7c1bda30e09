package io.tagfabric.wire;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A message as one hands it to the next: its tag, its immediate data, and where its bytes lie. One
 * object serves many messages; a callee takes what it needs before it returns.
 */
public class MessageView {
  private long tag;
  private boolean hasData;
  private boolean untagged;
  private long data;
  private DirectBuffer buffer;
  private int offset;
  private int length;

  /** Shows a message without immediate data. */
  public final void show(long newTag, DirectBuffer newBuffer, int newOffset, int newLength) {
    tag = newTag;
    hasData = false;
    untagged = false;
    data = 0;
    if (buffer != newBuffer) {
      // Mostly it is the same one, and a collector's barrier costs more than the question.
      buffer = newBuffer;
    }
    offset = newOffset;
    length = newLength;
  }

  /** Adds 8 bytes of immediate data to what is shown. */
  public final void showData(long newData) {
    hasData = true;
    data = newData;
  }

  /** Says that what is shown was sent without a tag. */
  public final void showUntagged() {
    untagged = true;
    tag = 0;
  }

  /** Whether it was sent without a tag: then only receives without one take it. */
  public final boolean isUntagged() {
    return untagged;
  }

  /** The same message with bytes of its own, to keep beyond the call. */
  public final MessageView copy() {
    byte[] bytes = new byte[length];
    buffer.getBytes(offset, bytes);
    MessageView copy = new MessageView();
    copy.show(tag, new UnsafeBuffer(bytes), 0, length);
    if (hasData) {
      copy.showData(data);
    }
    copy.untagged = untagged;
    return copy;
  }

  public final long tag() {
    return tag;
  }

  public final boolean hasData() {
    return hasData;
  }

  /** Immediate data, 0 if there are none. */
  public final long data() {
    return data;
  }

  public final DirectBuffer buffer() {
    return buffer;
  }

  /** Where in {@link #buffer} the payload begins. */
  public final int offset() {
    return offset;
  }

  /** Payload bytes. */
  public final int length() {
    return length;
  }
}
