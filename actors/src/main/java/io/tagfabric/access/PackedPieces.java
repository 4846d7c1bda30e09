package io.tagfabric.access;

import io.tagfabric.error.FabricError;
import io.tagfabric.memory.DirectCopy;
import io.tagfabric.memory.PieceRange;
import io.tagfabric.memory.Pieces;
import io.tagfabric.provider.DirectRegion;
import io.tagfabric.wire.AccessWriter;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** Pieces that travel in one access. Thread: the domain's loop. */
final class PackedPieces {
  private final PieceRange range;
  private final DirectBuffer from;
  private final MutableDirectBuffer to;

  // How far what is read has been put in its place.
  private int piece;
  private int filled;

  private PackedPieces(PieceRange range, DirectBuffer from, MutableDirectBuffer to) {
    this.range = range;
    this.from = from;
    this.to = to;
    piece = range.first();
  }

  /** Pieces of a buffer that are written. */
  static PackedPieces of(PieceRange range, DirectBuffer from) {
    return new PackedPieces(range, from, null);
  }

  /** Pieces that are read into a buffer. */
  static PackedPieces into(PieceRange range, MutableDirectBuffer to) {
    return new PackedPieces(range, null, to);
  }

  PieceRange range() {
    return range;
  }

  /** Whether the buffer still has them: a program may have wrapped it around others. */
  boolean hasRoom() {
    return range.all().lieIn(from == null ? to : from);
  }

  int capacity() {
    return (from == null ? to : from).capacity();
  }

  /** Bytes of what is sent: the pieces' headers, and of a write the pieces. */
  int requestBytes() {
    return range.count() * AccessWriter.PIECE_HEADER + (from == null ? 0 : range.bytes());
  }

  /** Writes what is sent into a buffer. */
  void pack(MutableDirectBuffer into) {
    Pieces all = range.all();
    int at = 0;
    for (int i = range.first(); i < range.end(); i++) {
      int length = all.length(i);
      into.putLong(at, all.there(i), ByteOrder.LITTLE_ENDIAN);
      into.putInt(at + Long.BYTES, length, ByteOrder.LITTLE_ENDIAN);
      at += AccessWriter.PIECE_HEADER;
      if (from != null) {
        into.putBytes(at, from, all.here(i), length);
        at += length;
      }
    }
  }

  /** Puts the next bytes that were read where they belong. */
  void take(DirectBuffer answer, int at, int bytes) {
    Pieces all = range.all();
    for (int done = 0; done < bytes; ) {
      int part = Math.min(all.length(piece) - filled, bytes - done);
      to.putBytes(all.here(piece) + filled, answer, at + done, part);
      done += part;
      filled += part;
      if (filled == all.length(piece)) {
        filled = 0;
        piece++;
      }
    }
  }

  /** Does it in memory that this side reaches. */
  FabricError reach(DirectRegion region, boolean own) {
    return from == null
        ? DirectCopy.read(region, own, range, to)
        : DirectCopy.write(region, own, range, from);
  }
}
