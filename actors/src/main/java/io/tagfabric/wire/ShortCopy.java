package io.tagfabric.wire;

import io.tagfabric.annotation.InternalApi;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Copies bytes between buffers, short ones word by word: a call that copies memory has a fixed cost
 * that is a good part of what a short message costs in all.
 */
@InternalApi
public final class ShortCopy {
  private static final int MAX_WORDWISE_BYTES = 64;

  private ShortCopy() {}

  /** Copies {@code length} bytes; the two places must not overlap. */
  public static void copy(
      DirectBuffer from, int fromIndex, MutableDirectBuffer to, int toIndex, int length) {
    if (length == Long.BYTES) { // frequent, and a loop has a fixed cost too
      to.putLong(toIndex, from.getLong(fromIndex));
      return;
    }
    if (length > MAX_WORDWISE_BYTES) {
      to.putBytes(toIndex, from, fromIndex, length);
      return;
    }
    int done = 0;
    for (; done <= length - Long.BYTES; done += Long.BYTES) {
      to.putLong(toIndex + done, from.getLong(fromIndex + done));
    }
    for (; done < length; done++) {
      to.putByte(toIndex + done, from.getByte(fromIndex + done));
    }
  }
}
