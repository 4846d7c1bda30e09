package io.tagfabric.memory;

import io.tagfabric.wire.AccessWriter;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Places the pieces of a write as they come: each behind where it belongs and how long it is, cut
 * anywhere between frames. Believes none of it.
 */
final class SlicedWrite {
  private final UnsafeBuffer head = new UnsafeBuffer(new byte[AccessWriter.PIECE_HEADER]);
  private int headFilled;
  private long at;
  private int length;
  private int left;
  private long placed;

  /** A write begins. */
  void begin() {
    headFilled = 0;
    left = 0;
    placed = 0;
  }

  /**
   * Places bytes.
   *
   * @return false if they are of a piece that does not lie in the region, which {@link #at} and
   *     {@link #length} tell; nothing of it is placed
   */
  boolean place(Region region, DirectBuffer from, int fromAt, int bytes) {
    int done = 0;
    while (done < bytes) {
      int part = Math.min(left == 0 ? head.capacity() - headFilled : left, bytes - done);
      if (left > 0) {
        placed += part;
        region.buffer().putBytes((int) (at + length - left), from, fromAt + done, part);
        region.writtenBytes += part;
        left -= part;
      } else {
        head.putBytes(headFilled, from, fromAt + done, part);
        headFilled += part;
        if (headFilled == head.capacity() && !next(region)) {
          return false;
        }
      }
      done += part;
    }
    return true;
  }

  private boolean next(Region region) {
    headFilled = 0;
    at = head.getLong(0, Little.ENDIAN);
    length = head.getInt(Long.BYTES, Little.ENDIAN);
    boolean lies = length > 0 && Bounds.hold(at, length, region.lengthBytes());
    left = lies ? length : 0;
    return lies;
  }

  /** Whether what has come ends with a piece. */
  boolean isWhole() {
    return left == 0 && headFilled == 0;
  }

  /** Bytes of pieces that were placed. */
  long placed() {
    return placed;
  }

  /** Where the piece is that has come last. */
  long at() {
    return at;
  }

  /** Its bytes. */
  long length() {
    return length;
  }
}
