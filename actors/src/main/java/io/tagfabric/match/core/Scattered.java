package io.tagfabric.match.core;

import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** Bytes that go to several buffers, which they fill one behind the other. */
final class Scattered {
  /** Does something with the bytes that go to one of the buffers. */
  @FunctionalInterface
  interface Piece {
    /**
     * Takes the next bytes.
     *
     * @param done bytes of the range that went before
     * @return false to stop
     */
    boolean take(int done, MutableDirectBuffer part, int offset, int length);
  }

  private Scattered() {}

  /**
   * Goes through the buffers that a range of bytes lies in.
   *
   * @param position of the first byte in all of them together
   * @return false if a piece has stopped it
   */
  static boolean forEach(
      List<? extends MutableDirectBuffer> parts, int position, int count, Piece piece) {
    int before = 0;
    int done = 0;
    for (int i = 0; i < parts.size() && done < count; i++) {
      MutableDirectBuffer part = parts.get(i);
      int offset = position + done - before;
      int length = Math.min(count - done, part.capacity() - offset);
      if (length > 0) {
        if (!piece.take(done, part, offset, length)) {
          return false;
        }
        done += length;
      }
      before += part.capacity();
    }
    return true;
  }

  /** Copies bytes to where they belong. */
  static void put(
      List<? extends MutableDirectBuffer> parts,
      int position,
      DirectBuffer bytes,
      int offset,
      int count) {
    forEach(
        parts,
        position,
        count,
        (done, part, at, length) -> {
          part.putBytes(at, bytes, offset + done, length);
          return true;
        });
  }
}
