package io.tagfabric.memory;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.error.FabricError;
import io.tagfabric.trace.AccessTrace;
import io.tagfabric.trace.TraceKind.Access;
import io.tagfabric.wire.AccessWriter;
import io.tagfabric.wire.FrameCursor;
import io.tagfabric.wire.FrameOrigin;
import io.tagfabric.wire.FrameServices;
import io.tagfabric.wire.sbe.AtomicDecoder;
import io.tagfabric.wire.sbe.FlushDecoder;
import io.tagfabric.wire.sbe.ReadDecoder;
import io.tagfabric.wire.sbe.WriteDecoder;
import io.tagfabric.wire.sbe.WriteNextDecoder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.agrona.DirectBuffer;

/**
 * Does what peers ask of the regions of a domain, for one endpoint. Believes nothing that a frame
 * says: an access that its region does not allow touches nothing and is answered with why, one that
 * breaks a rule of the wire costs the sender its flow. Single threaded: the domain's loop.
 *
 * @source libfabric fi_rma(3), fi_atomic(3); fi_psm(7), validation of accesses
 */
@InternalApi
public final class MemoryTarget {
  /**
   * Most bytes of the operands of one update, so that it fits into the smallest packet, and of a
   * read whose bytes are taken in the order of requests.
   */
  public static final int MOST_OPERAND_BYTES = 1024;

  /** Most bytes of one fill, so that it holds nobody up. */
  public static final int MOST_FILLED_BYTES = 1 << 20;

  private static final int WRITE_FLAGS =
      AccessWriter.HAS_DATA | AccessWriter.SIGNAL | AccessWriter.WANTS_END | AccessWriter.PLACED;
  private static final int SLICED_FLAGS = AccessWriter.SLICED | AccessWriter.WANTS_END;
  private static final int ATOMIC_FLAGS = AccessWriter.FETCH | AccessWriter.WANTS_END;

  private final RegionTable regions;
  private final boolean allowsReads;
  private final boolean allowsWrites;
  private final Signals signals;
  private final ServedReads reads;
  private final SliceTarget slices;
  private final List<InboundWrite> coming = new ArrayList<>();
  private final ArrayDeque<InboundWrite> spare = new ArrayDeque<>();
  private final ArrayDeque<EndAnswer> ends = new ArrayDeque<>();
  private final ArrayDeque<FetchAnswer> fetches = new ArrayDeque<>();
  private final WriteDecoder write = new WriteDecoder();
  private final WriteNextDecoder writeNext = new WriteNextDecoder();
  private final ReadDecoder read = new ReadDecoder();
  private final AtomicDecoder atomic = new AtomicDecoder();
  private final FlushDecoder flush = new FlushDecoder();
  private final AccessTrace trace;

  /**
   * A target.
   *
   * @param allowsReads whether peers may read by this endpoint
   * @param allowsWrites whether they may write and update
   * @param mostReads that are served at a time
   * @param receiveQueue where writes with immediate data are told if their region names no queue
   * @param trace hears of what peers access
   * @param retry sees to it that {@link #goOn} is called so many nanoseconds later
   */
  public MemoryTarget(
      RegionTable regions,
      boolean allowsReads,
      boolean allowsWrites,
      int mostReads,
      CompletionQueue receiveQueue,
      AccessTrace trace,
      LongConsumer retry) {
    this.regions = regions;
    this.trace = trace;
    this.allowsReads = allowsReads;
    this.allowsWrites = allowsWrites;
    signals = new Signals(receiveQueue, retry);
    reads = new ServedReads(mostReads, this);
    slices = new SliceTarget(regions, this, fetches);
  }

  /** From now on it gets the frames of accesses. */
  public void register(FrameServices services) {
    slices.register(services);
    services
        .add(WriteDecoder.TEMPLATE_ID, this::onWrite)
        .add(WriteNextDecoder.TEMPLATE_ID, this::onWriteNext)
        .add(ReadDecoder.TEMPLATE_ID, this::onRead)
        .add(AtomicDecoder.TEMPLATE_ID, this::onAtomic)
        .add(FlushDecoder.TEMPLATE_ID, this::onFlush);
  }

  // ---- writes ----

  private void onWrite(FrameOrigin origin, FrameCursor frame) {
    if (!frame.hasBlock(WriteDecoder.BLOCK_LENGTH)) {
      return;
    }
    write.wrap(frame.buffer(), frame.blockAt(), WriteDecoder.BLOCK_LENGTH, frame.version());
    long total = write.total();
    int length = frame.payloadLength();
    int flags = write.flags();
    boolean placedByPeer = (flags & AccessWriter.PLACED) != 0;
    boolean sliced = (flags & AccessWriter.SLICED) != 0;
    if (write.operation() <= 0
        || length > total
        || (length == 0 && total != 0) != placedByPeer
        || (flags & ~(sliced ? SLICED_FLAGS : WRITE_FLAGS)) != 0) {
      frame.malformed();
      return;
    }
    if (isComing(origin) || !origin.admitRequest()) {
      return;
    }
    long key = write.key();
    long offset = write.regionAt();
    Region region = regions.find(key, write.generation());
    FabricError error = refusal(origin, region, true, false, offset, sliced ? 0 : total);
    if (error == null && placedByPeer && !region.isShared()) {
      error = FabricError.INVALID;
    }
    if (error == null && placedByPeer) {
      region.writtenBytes += total;
    } else if (error == null && !sliced) {
      region.buffer().putBytes((int) offset, frame.buffer(), frame.payloadAt(), length);
      region.writtenBytes += length;
    } else if (error != null) {
      refuse(origin, region, error, write.operation(), key, offset, total);
      region = null;
    }
    // Of what a peer has placed itself no bytes follow, refused or not.
    if (placedByPeer || (length == total && (!sliced || region == null))) {
      if (region != null) {
        placed(origin, region, write.operation(), offset, total, flags, write.data());
      }
      return;
    }
    InboundWrite begun = spare.isEmpty() ? new InboundWrite() : spare.pollLast();
    begun.origin = origin;
    begun.region = region;
    begun.operation = write.operation();
    begun.key = key;
    begun.offset = offset;
    begun.total = total;
    begun.data = write.data();
    begun.flags = flags;
    begun.filled = sliced ? 0 : length;
    begun.sliced = sliced;
    begun.slices.begin();
    coming.add(begun);
    origin.awaitsRest(true);
    if (region != null) {
      region.enter();
    }
    if (sliced) {
      goOn(begun, frame, length);
    }
  }

  /**
   * Places the bytes of a long active message, as a write would.
   *
   * @param from where they are; null if a write has brought them before
   * @return why they may not be there; null if they are
   */
  public FabricError placeLong(
      FrameOrigin origin,
      long key,
      long generation,
      long offset,
      int length,
      DirectBuffer from,
      int at) {
    Region region = regions.find(key, generation);
    FabricError error = refusal(origin, region, true, false, offset, length);
    if (error != null) {
      if (region != null) {
        region.refused++;
      }
    } else if (from != null) {
      region.buffer().putBytes((int) offset, from, at, length);
      region.writes++;
      region.writtenBytes += length;
    }
    return error;
  }

  /** The bytes of a region that {@link #placeLong} has found. */
  public DirectBuffer bytes(long key, long generation) {
    return regions.find(key, generation).buffer();
  }

  /** Whether a write must come to its end first; then the flow has ended. */
  boolean isComing(FrameOrigin origin) {
    InboundWrite before = comingFrom(origin);
    if (before == null) {
      return false;
    }
    origin.breach(
        "an access begins while a write has filled=" + before.filled + " of total=" + before.total);
    return true;
  }

  private InboundWrite comingFrom(FrameOrigin origin) {
    for (int i = 0; i < coming.size(); i++) {
      if (coming.get(i).origin == origin) {
        return coming.get(i);
      }
    }
    return null;
  }

  private void onWriteNext(FrameOrigin origin, FrameCursor frame) {
    if (!frame.hasBlock(WriteNextDecoder.BLOCK_LENGTH)) {
      return;
    }
    writeNext.wrap(frame.buffer(), frame.blockAt(), WriteNextDecoder.BLOCK_LENGTH, frame.version());
    int length = frame.payloadLength();
    boolean aborted = writeNext.flags() == AccessWriter.ABORTED;
    if ((writeNext.flags() & ~AccessWriter.ABORTED) != 0 || (length == 0) != aborted) {
      frame.malformed();
      return;
    }
    InboundWrite begun = comingFrom(origin);
    if (begun == null
        || writeNext.position() != begun.filled
        || length > begun.total - begun.filled) {
      origin.breach(
          "more of a write with position="
              + writeNext.position()
              + " payloadBytes="
              + length
              + (begun == null
                  ? " where none has begun"
                  : " where filled=" + begun.filled + " of total=" + begun.total));
      return;
    }
    if (aborted) {
      if (begun.region != null) {
        origin.consumed();
      }
      end(begun);
      return;
    }
    goOn(begun, frame, length);
  }

  /** More bytes of a write have come. */
  private void goOn(InboundWrite begun, FrameCursor frame, int length) {
    FrameOrigin origin = begun.origin;
    if (begun.region != null && (begun.region.isCut() || !begun.region.hasItsFile())) {
      refuseCut(origin, begun.region, begun.operation, begun.offset, begun.total);
      giveUp(begun);
    }
    if (begun.region != null && begun.sliced) {
      placePieces(begun, frame, length);
    } else if (begun.region != null) {
      int at = (int) (begun.offset + begun.filled);
      begun.region.buffer().putBytes(at, frame.buffer(), frame.payloadAt(), length);
      begun.region.writtenBytes += length;
    }
    begun.filled += length;
    if (begun.filled < begun.total) {
      return;
    }
    Region region = begun.region;
    if (region != null && begun.sliced && !begun.slices.isWhole()) {
      origin.breach("a write of total=" + begun.total + " ends in the middle of a piece");
      return;
    }
    if (region != null) {
      long bytes = begun.sliced ? begun.slices.placed() : begun.total;
      placed(origin, region, begun.operation, begun.offset, bytes, begun.flags, begun.data);
    }
    end(begun);
  }

  private void placePieces(InboundWrite begun, FrameCursor frame, int length) {
    SlicedWrite pieces = begun.slices;
    if (!pieces.place(begun.region, frame.buffer(), frame.payloadAt(), length)) {
      refuse(
          begun.origin,
          begun.region,
          FabricError.ACCESS,
          begun.operation,
          begun.key,
          pieces.at(),
          pieces.length());
      giveUp(begun);
    }
  }

  /** What still comes of a write is dropped. */
  private static void giveUp(InboundWrite begun) {
    begun.region.leave();
    begun.region = null;
  }

  private void end(InboundWrite begun) {
    begun.origin.awaitsRest(false);
    coming.remove(begun);
    if (begun.region != null) {
      begun.region.leave();
    }
    begun.origin = null;
    begun.region = null;
    spare.addLast(begun);
  }

  /** All bytes of a write are in place. */
  private void placed(
      FrameOrigin origin,
      Region region,
      long operation,
      long offset,
      long total,
      int flags,
      long data) {
    region.writes++;
    region.accessed(total);
    served(
        (flags & (AccessWriter.SIGNAL | AccessWriter.HAS_DATA)) != 0
            ? Access.WRITE_WITH_SIGNAL
            : Access.WRITE,
        origin,
        region,
        offset,
        total);
    boolean hasData = (flags & AccessWriter.HAS_DATA) != 0;
    boolean givesCredit =
        !hasData && (flags & AccessWriter.SIGNAL) == 0
            || signals.raise(origin, region, offset, total, hasData, hasData ? data : 0);
    done(origin, operation, (flags & AccessWriter.WANTS_END) != 0, givesCredit);
  }

  void done(FrameOrigin origin, long operation, boolean wantsEnd, boolean givesCredit) {
    if (wantsEnd) {
      origin.answer(EndAnswer.take(ends, origin, givesCredit, operation));
    } else if (givesCredit) {
      origin.consumed();
    }
  }

  /** Goes on with signals that waited for a slot. */
  public void goOn() {
    signals.goOn();
  }

  // ---- reads ----

  private void onRead(FrameOrigin origin, FrameCursor frame) {
    if (!frame.hasOnlyBlock(ReadDecoder.BLOCK_LENGTH)) {
      return;
    }
    read.wrap(frame.buffer(), frame.blockAt(), ReadDecoder.BLOCK_LENGTH, frame.version());
    if (read.operation() <= 0) {
      frame.malformed();
      return;
    }
    if (isComing(origin) || !origin.admitRequest()) {
      return;
    }
    long offset = read.regionAt();
    long length = read.length();
    Region region = regions.find(read.key(), read.generation());
    FabricError error = refusal(origin, region, false, true, offset, length);
    if (error != null) {
      refuse(origin, region, error, read.operation(), read.key(), offset, length);
      return;
    }
    region.reads++;
    served(Access.READ, origin, region, offset, length);
    if (length <= MOST_OPERAND_BYTES) {
      region.accessed(length);
    }
    if (length == 0) {
      done(origin, read.operation(), true, true);
    } else if (length <= MOST_OPERAND_BYTES) {
      // As it is now: what comes behind it must not be seen.
      region.readBytes += length;
      origin.answer(
          FetchAnswer.take(
              fetches, origin, read.operation(), region.buffer(), (int) offset, (int) length));
    } else {
      reads.accept(origin, region, read.operation(), offset, (int) length);
    }
  }

  // ---- updates ----

  private void onAtomic(FrameOrigin origin, FrameCursor frame) {
    if (!frame.hasBlock(AtomicDecoder.BLOCK_LENGTH)) {
      return;
    }
    atomic.wrap(frame.buffer(), frame.blockAt(), AtomicDecoder.BLOCK_LENGTH, frame.version());
    int flags = atomic.flags();
    int payload = frame.payloadLength();
    int count = atomic.count();
    if (atomic.operation() <= 0
        || (flags & ~ATOMIC_FLAGS) != 0
        || count < 1
        || count > MOST_OPERAND_BYTES
        || payload > 2 * MOST_OPERAND_BYTES) {
      frame.malformed();
      return;
    }
    AtomicOp op = AtomicOp.of(atomic.update());
    AtomicKind kind = AtomicKind.of(atomic.kind());
    boolean fetch = (flags & AccessWriter.FETCH) != 0;
    boolean known = op != null && kind != null && op.takes(kind);
    int bytes = known ? count * kind.bytes() : 0;
    if (known) {
      int due = op.onlyFetches() ? 0 : op.compares() ? 2 * bytes : bytes;
      if (payload != due
          || bytes > MOST_OPERAND_BYTES
          || (!fetch && (op.compares() || op.onlyFetches()))) {
        frame.malformed();
        return;
      }
    }
    if (isComing(origin) || !origin.admitRequest()) {
      return;
    }
    long offset = atomic.regionAt();
    Region region = regions.find(atomic.key(), atomic.generation());
    FabricError error;
    if (!known) {
      error = FabricError.OPERATION_NOT_SUPPORTED;
    } else {
      error = refusal(origin, region, !op.onlyFetches(), fetch, offset, bytes);
      if (error == null && offset % kind.bytes() != 0) {
        error = FabricError.INVALID;
      }
    }
    if (error != null) {
      refuse(origin, region, error, atomic.operation(), atomic.key(), offset, bytes);
      return;
    }
    region.atomics++;
    region.accessed(bytes);
    served(Access.ATOMIC, origin, region, offset, bytes);
    FetchAnswer old =
        fetch
            ? FetchAnswer.take(
                fetches, origin, atomic.operation(), region.buffer(), (int) offset, bytes)
            : null;
    if (region.isShared()) {
      SharedAtomics.update(
          op,
          kind,
          count,
          region.words(),
          (int) offset,
          frame.buffer(),
          frame.payloadAt(),
          frame.payloadAt() + bytes,
          fetch ? old.values() : null,
          0);
    } else {
      Atomics.update(
          op,
          kind,
          count,
          region.buffer(),
          (int) offset,
          frame.buffer(),
          frame.payloadAt(),
          frame.payloadAt() + bytes);
    }
    if (old != null) {
      origin.answer(old);
    } else {
      done(origin, atomic.operation(), (flags & AccessWriter.WANTS_END) != 0, true);
    }
  }

  private void onFlush(FrameOrigin origin, FrameCursor frame) {
    if (!frame.hasOnlyBlock(FlushDecoder.BLOCK_LENGTH)) {
      return;
    }
    flush.wrap(frame.buffer(), frame.blockAt(), FlushDecoder.BLOCK_LENGTH, frame.version());
    if (flush.operation() <= 0) {
      frame.malformed();
    } else if (!isComing(origin) && origin.admitRequest()) {
      done(origin, flush.operation(), true, true);
    }
  }

  // ---- refusals ----

  /** Why an access must not be done; null if it may. */
  FabricError refusal(
      FrameOrigin origin, Region region, boolean writes, boolean reads, long offset, long length) {
    if (region == null) {
      return FabricError.NO_KEY;
    }
    boolean own = origin.isOwn();
    if (!Bounds.hold(offset, length, region.lengthBytes())
        || (writes
            && (!allowsWrites
                || region.lacks(own ? RegionRight.LOCAL_WRITE : RegionRight.REMOTE_WRITE)))
        || (reads
            && (!allowsReads
                || region.lacks(own ? RegionRight.LOCAL_READ : RegionRight.REMOTE_READ)))) {
      return FabricError.ACCESS;
    }
    return region.hasItsFile() ? null : FabricError.IO;
  }

  void refuse(
      FrameOrigin origin,
      Region region,
      FabricError error,
      long operation,
      long key,
      long offset,
      long length) {
    long limit = -1;
    if (region != null) {
      region.refused++;
      limit = Bounds.hold(offset, length, region.lengthBytes()) ? -1 : region.lengthBytes();
    }
    if (trace.isOn()) {
      trace.refused(error.code(), origin.inbound(), origin.peer(), key, offset, length);
    }
    origin.answer(
        EndAnswer.take(ends, origin, true, operation)
            .refusing(error.code(), limit, key, offset, length));
  }

  /** An access was cut off by the close of its region, or its memory has lost its file. */
  void refuseCut(FrameOrigin origin, Region region, long operation, long offset, long length) {
    int error = (region.isCut() ? FabricError.NO_KEY : FabricError.IO).code();
    region.refused++;
    if (trace.isOn()) {
      trace.refused(error, origin.inbound(), origin.peer(), region.key(), offset, length);
    }
    origin.answer(
        EndAnswer.take(ends, origin, true, operation)
            .refusing(error, -1, region.key(), offset, length));
  }

  /** A peer's access is done. */
  void served(Access what, FrameOrigin origin, Region region, long offset, long length) {
    if (trace.isOn()) {
      trace.served(what, origin.inbound(), origin.peer(), region.key(), offset, length);
    }
  }

  // ---- ends ----

  /** A peer is lost, or this side has given it up: what it had begun ends. */
  public void lost(FrameOrigin origin) {
    InboundWrite begun = comingFrom(origin);
    if (begun != null) {
      end(begun);
    }
    reads.lost(origin);
  }

  /** The endpoint has closed. */
  public void close() {
    signals.end();
  }
}
