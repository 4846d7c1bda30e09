package io.tagfabric.access;

import io.tagfabric.complete.Completion;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.memory.AtomicOp;
import io.tagfabric.memory.SegmentsDescriptor;
import java.util.concurrent.CompletionStage;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Accesses of memory that is longer than 2 GiB, as {@link MemoryFutures} are of one region. Offsets
 * count from the first byte of the first segment. What lies in several segments is an access of
 * each, and the future completes when all have ended; it fails with the first error. An element of
 * an update lies in one.
 *
 * <p>Thread: any. Errors are those of {@link MemoryFutures}; what does not lie in the segments is
 * refused with ACCESS before anything is sent.
 */
public final class SegmentFutures {
  /** One access of each part. */
  private interface PartAccess {
    CompletionStage<Completion.Accessed> of(RemoteRegion region, long offset, long at, long length);
  }

  /** One access of each part of a buffer, and whether it is the last part. */
  private interface BufferAccess {
    CompletionStage<Completion.Accessed> of(
        RemoteRegion region, long offset, UnsafeBuffer part, boolean last);
  }

  private final MemoryFutures futures;

  SegmentFutures(MemoryFutures futures) {
    this.futures = futures;
  }

  /** Writes a whole buffer, which must not change until the future completes. */
  public CompletionStage<Completion.Accessed> write(
      RemoteSegments to, long offset, DirectBuffer bytes) {
    return divide(to, offset, bytes, (region, at, part, last) -> futures.write(region, at, part));
  }

  /** The same with a signal of the segment that has the last byte, behind all bytes. */
  public CompletionStage<Completion.Accessed> writeSignal(
      RemoteSegments to, long offset, DirectBuffer bytes) {
    return divide(
        to,
        offset,
        bytes,
        (region, at, part, last) ->
            last
                ? futures.start(Access.write(region, at, part).signal())
                : futures.write(region, at, part));
  }

  /** Reads bytes into a whole buffer. */
  public CompletionStage<Completion.Accessed> read(
      RemoteSegments from, long offset, MutableDirectBuffer bytes) {
    return divide(from, offset, bytes, (region, at, part, last) -> futures.read(region, at, part));
  }

  /** Sets bytes to one value. */
  public CompletionStage<Completion.Accessed> fill(
      RemoteSegments to, long offset, long length, byte value) {
    return divide(
        to,
        offset,
        length,
        (region, there, at, part) -> futures.start(Access.fill(region, there, part, value)));
  }

  /** Updates an INT64 and completes with what it was before. */
  public CompletionStage<Long> fetch(RemoteSegments at, long offset, AtomicOp op, long operand) {
    at.descriptor().require(offset, Long.BYTES);
    return futures.fetch(at.at(offset), at.offsetIn(offset), op, operand);
  }

  /** Sets an INT64 to a value if it is what is expected; completes with what it was before. */
  public CompletionStage<Long> compareAndSwap(
      RemoteSegments at, long offset, long expected, long value) {
    at.descriptor().require(offset, Long.BYTES);
    return futures.compareAndSwap(at.at(offset), at.offsetIn(offset), expected, value);
  }

  private CompletionStage<Completion.Accessed> divide(
      RemoteSegments there, long offset, DirectBuffer bytes, BufferAccess access) {
    int all = bytes.capacity();
    return divide(
        there,
        offset,
        all,
        (region, from, at, length) ->
            access.of(
                region, from, new UnsafeBuffer(bytes, (int) at, (int) length), at + length == all));
  }

  /** The parts in the order of their offsets, so that a signal comes behind all. */
  private CompletionStage<Completion.Accessed> divide(
      RemoteSegments there, long offset, long length, PartAccess access) {
    SegmentsDescriptor all = there.descriptor();
    all.require(offset, length);
    if (futures.isImmediate() && length > all.segmentBytes() - there.offsetIn(offset)) {
      throw new FabricException(
          FabricError.OPERATION_NOT_SUPPORTED,
          "offset="
              + offset
              + " lengthBytes="
              + length
              + " lie in several segments of segmentBytes="
              + all.segmentBytes()
              + ", of which one could leave now and another not; access each by itself");
    }
    CompletionStage<Completion.Accessed> ends = null;
    long at = 0;
    do {
      long from = offset + at;
      long left = all.segmentBytes() - there.offsetIn(from);
      long part = Math.min(length - at, left);
      CompletionStage<Completion.Accessed> end =
          access.of(there.at(from), there.offsetIn(from), at, part);
      ends = ends == null ? end : ends.thenCombine(end, SegmentFutures::both);
      at += part;
    } while (at < length);
    return ends;
  }

  private static Completion.Accessed both(Completion.Accessed one, Completion.Accessed other) {
    return new Completion.Accessed(
        null, one.peer(), one.direction(), one.length() + other.length());
  }
}
