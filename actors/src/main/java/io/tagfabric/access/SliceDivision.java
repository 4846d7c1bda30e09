package io.tagfabric.access;

import io.tagfabric.memory.MemoryTarget;
import io.tagfabric.memory.PieceRange;
import io.tagfabric.memory.Pieces;
import io.tagfabric.wire.AccessWriter;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * An access of pieces: short ones that follow each other are packed into one, as each access costs
 * a frame, credit and an answer; a long one is an access of its own, whose bytes are copied once
 * less.
 *
 * @source GASNet-EX, VIS algorithms: packing below a limit, one put for each piece above
 */
final class SliceDivision implements Division {
  /** A longer piece is written by itself. */
  static final int LONGEST_PACKED = 2048;

  /** Most bytes of a packed write, its pieces' headers too. */
  static final int MOST_PACKED_BYTES = 60 * 1024;

  /** Most pieces and bytes of a packed read. */
  private static final int MOST_READ_PIECES =
      MemoryTarget.MOST_OPERAND_BYTES / AccessWriter.PIECE_HEADER;

  private static final int MOST_READ_BYTES = MemoryTarget.MOST_OPERAND_BYTES;

  private final Pieces pieces;
  private final DirectBuffer from;
  private final MutableDirectBuffer to;

  private SliceDivision(Pieces pieces, DirectBuffer from, MutableDirectBuffer to) {
    this.pieces = pieces;
    this.from = from;
    this.to = to;
  }

  static SliceDivision writing(Pieces pieces, DirectBuffer from) {
    return new SliceDivision(pieces, from, null);
  }

  static SliceDivision reading(Pieces pieces, MutableDirectBuffer to) {
    return new SliceDivision(pieces, null, to);
  }

  @Override
  public void forEach(MemoryOperation whole, Consumer<MemoryOperation> part) {
    for (int first = 0; first < pieces.count(); ) {
      int end = from == null ? endOfRead(first) : endOfWrite(first);
      part.accept(end - first == 1 ? piece(whole, first) : packed(whole, first, end));
      first = end;
    }
  }

  /** Behind the last piece that is packed with one. */
  private int endOfWrite(int first) {
    int packed = 0;
    int end = first;
    while (end < pieces.count() && pieces.length(end) <= LONGEST_PACKED) {
      packed += AccessWriter.PIECE_HEADER + pieces.length(end);
      if (packed > MOST_PACKED_BYTES) {
        break;
      }
      end++;
    }
    return Math.max(end, first + 1);
  }

  private int endOfRead(int first) {
    long bytes = 0;
    int end = first;
    while (end < pieces.count() && end - first < MOST_READ_PIECES) {
      bytes += pieces.length(end);
      if (bytes > MOST_READ_BYTES) {
        break;
      }
      end++;
    }
    return Math.max(end, first + 1);
  }

  private MemoryOperation piece(MemoryOperation whole, int piece) {
    MemoryOperation part = whole.part(pieces.there(piece));
    if (from == null) {
      part.into(to, pieces.here(piece), pieces.length(piece));
    } else {
      part.show(0, from, pieces.here(piece), pieces.length(piece));
    }
    return part;
  }

  private MemoryOperation packed(MemoryOperation whole, int first, int end) {
    PieceRange range = PieceRange.of(pieces, first, end);
    MemoryOperation part = whole.part(range.lowest());
    part.pack(from == null ? PackedPieces.into(range, to) : PackedPieces.of(range, from));
    return part;
  }
}
