package io.tagfabric.memory;

import io.tagfabric.annotation.InternalApi;

/**
 * Some pieces of an access, one after the other, which are done at once.
 *
 * @param all of the access
 * @param first of them
 * @param end behind the last of them
 * @param lowest where in the region the first byte of them is
 * @param span bytes of the region from there to the last byte
 * @param bytes of all of them
 */
@InternalApi
public record PieceRange(Pieces all, int first, int end, long lowest, long span, int bytes) {
  /** All pieces. */
  public static PieceRange of(Pieces all) {
    return new PieceRange(all, 0, all.count(), all.lowest(), all.span(), (int) all.bytes());
  }

  /** Some of them, at least one. */
  public static PieceRange of(Pieces all, int first, int end) {
    long lowest = Long.MAX_VALUE;
    long last = 0;
    int bytes = 0;
    for (int piece = first; piece < end; piece++) {
      lowest = Math.min(lowest, all.there(piece));
      last = Math.max(last, all.there(piece) + all.length(piece));
      bytes += all.length(piece);
    }
    return new PieceRange(all, first, end, lowest, last - lowest, bytes);
  }

  /** How many there are. */
  public int count() {
    return end - first;
  }
}
