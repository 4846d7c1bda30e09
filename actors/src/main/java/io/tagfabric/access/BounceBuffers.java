package io.tagfabric.access;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Copies of what writes that wait would read later, so that their buffers are the program's at
 * once. All together they are bounded. Single threaded: the domain's loop.
 *
 * @source GASNet ibv-conduit, GASNET_NONBULKPUT_BOUNCE_LIMIT
 */
final class BounceBuffers {
  /** The bound of all, as a multiple of that of one. */
  private static final int OF_ONE = 64;

  private final int limit;
  private long taken;

  /**
   * Copies.
   *
   * @param limit bytes of one at most, 0 for none
   */
  BounceBuffers(int limit) {
    this.limit = limit;
  }

  /** A copy; null if it is too long, or there are too many. */
  UnsafeBuffer copy(DirectBuffer buffer, int offset, int length) {
    if (length > limit || length > (long) OF_ONE * limit - taken || length == 0) {
      return null;
    }
    taken += length;
    UnsafeBuffer copy = new UnsafeBuffer(new byte[length]);
    copy.putBytes(0, buffer, offset, length);
    return copy;
  }

  /** A copy is needed no more. */
  void giveBack(int length) {
    taken -= length;
  }

  long taken() {
    return taken;
  }
}
