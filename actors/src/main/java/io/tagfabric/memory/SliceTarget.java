package io.tagfabric.memory;

import io.tagfabric.error.FabricError;
import io.tagfabric.trace.TraceKind.Access;
import io.tagfabric.wire.AccessWriter;
import io.tagfabric.wire.FrameCursor;
import io.tagfabric.wire.FrameOrigin;
import io.tagfabric.wire.FrameServices;
import io.tagfabric.wire.sbe.FillDecoder;
import io.tagfabric.wire.sbe.ReadSlicesDecoder;
import java.util.ArrayDeque;

/**
 * Reads pieces of regions for peers, and fills regions. Single threaded: the domain's loop.
 *
 * @source GASNet-EX, indexed get and memset
 */
final class SliceTarget {
  private final RegionTable regions;
  private final MemoryTarget target;
  private final ArrayDeque<FetchAnswer> answers;
  private final ReadSlicesDecoder read = new ReadSlicesDecoder();
  private final FillDecoder fill = new FillDecoder();

  SliceTarget(RegionTable regions, MemoryTarget target, ArrayDeque<FetchAnswer> answers) {
    this.regions = regions;
    this.target = target;
    this.answers = answers;
  }

  void register(FrameServices services) {
    services
        .add(ReadSlicesDecoder.TEMPLATE_ID, this::onReadSlices)
        .add(FillDecoder.TEMPLATE_ID, this::onFill);
  }

  // ---- reads ----

  private void onReadSlices(FrameOrigin origin, FrameCursor frame) {
    if (!frame.hasBlock(ReadSlicesDecoder.BLOCK_LENGTH)) {
      return;
    }
    read.wrap(frame.buffer(), frame.blockAt(), ReadSlicesDecoder.BLOCK_LENGTH, frame.version());
    int length = read.length();
    if (read.operation() <= 0
        || length < 1
        || length > MemoryTarget.MOST_OPERAND_BYTES
        || !arePieces(frame, length)) {
      frame.malformed();
      return;
    }
    if (target.isComing(origin) || !origin.admitRequest()) {
      return;
    }
    long operation = read.operation();
    long key = read.key();
    Region region = regions.find(key, read.generation());
    FabricError error = target.refusal(origin, region, false, true, 0, 0);
    if (error != null) {
      target.refuse(origin, region, error, operation, key, at(frame, 0), length(frame, 0));
      return;
    }
    int outside = outside(frame, region.lengthBytes());
    if (outside >= 0) {
      long wrongAt = at(frame, outside);
      int wrong = length(frame, outside);
      target.refuse(origin, region, FabricError.ACCESS, operation, key, wrongAt, wrong);
      return;
    }
    region.reads++;
    region.readBytes += length;
    region.accessed(length);
    target.served(Access.READ, origin, region, at(frame, 0), length);
    FetchAnswer answer = FetchAnswer.take(answers, origin, operation, length);
    int filled = 0;
    for (int piece = 0; piece < count(frame); piece++) {
      int bytes = length(frame, piece);
      answer.values().putBytes(filled, region.buffer(), (int) at(frame, piece), bytes);
      filled += bytes;
    }
    origin.answer(answer);
  }

  /** Whether what follows are pieces that have so many bytes, and not too many of them. */
  private static boolean arePieces(FrameCursor frame, int bytes) {
    int payload = frame.payloadLength();
    if (payload % AccessWriter.PIECE_HEADER != 0 || payload > MemoryTarget.MOST_OPERAND_BYTES) {
      return false;
    }
    long sum = 0;
    for (int piece = 0; piece < count(frame); piece++) {
      int length = length(frame, piece);
      if (length < 1) {
        return false;
      }
      sum += length;
    }
    return sum == bytes;
  }

  private static int outside(FrameCursor frame, long regionBytes) {
    for (int piece = 0; piece < count(frame); piece++) {
      if (!Bounds.hold(at(frame, piece), length(frame, piece), regionBytes)) {
        return piece;
      }
    }
    return -1;
  }

  private static int count(FrameCursor frame) {
    return frame.payloadLength() / AccessWriter.PIECE_HEADER;
  }

  private static long at(FrameCursor frame, int piece) {
    return frame.buffer().getLong(headOf(frame, piece), Little.ENDIAN);
  }

  private static int length(FrameCursor frame, int piece) {
    return frame.buffer().getInt(headOf(frame, piece) + Long.BYTES, Little.ENDIAN);
  }

  private static int headOf(FrameCursor frame, int piece) {
    return frame.payloadAt() + piece * AccessWriter.PIECE_HEADER;
  }

  // ---- fills ----

  private void onFill(FrameOrigin origin, FrameCursor frame) {
    if (!frame.hasOnlyBlock(FillDecoder.BLOCK_LENGTH)) {
      return;
    }
    fill.wrap(frame.buffer(), frame.blockAt(), FillDecoder.BLOCK_LENGTH, frame.version());
    int length = fill.length();
    int flags = fill.flags();
    int value = fill.value();
    if (fill.operation() <= 0
        || length < 0
        || length > MemoryTarget.MOST_FILLED_BYTES
        || value != (byte) value
        || (flags & ~AccessWriter.WANTS_END) != 0) {
      frame.malformed();
      return;
    }
    if (target.isComing(origin) || !origin.admitRequest()) {
      return;
    }
    long offset = fill.regionAt();
    Region region = regions.find(fill.key(), fill.generation());
    FabricError error = target.refusal(origin, region, true, false, offset, length);
    if (error != null) {
      target.refuse(origin, region, error, fill.operation(), fill.key(), offset, length);
      return;
    }
    Fillings.fill(region.buffer(), (int) offset, length, (byte) value);
    region.writes++;
    region.writtenBytes += length;
    region.accessed(length);
    target.served(Access.FILL, origin, region, offset, length);
    target.done(origin, fill.operation(), flags != 0, true);
  }
}
