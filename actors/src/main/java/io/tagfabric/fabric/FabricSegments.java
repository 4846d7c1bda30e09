package io.tagfabric.fabric;

import io.tagfabric.provider.FabricMemory;
import java.util.ArrayList;
import java.util.List;
import org.agrona.MutableDirectBuffer;

/**
 * Fabric memory that is longer than one buffer may be: segments of equal length, the last perhaps
 * shorter. {@link Domain#allocateSegments} makes it.
 */
public final class FabricSegments implements AutoCloseable {
  private final long segmentBytes;
  private final List<FabricMemory> segments;

  private FabricSegments(long segmentBytes, List<FabricMemory> segments) {
    this.segmentBytes = segmentBytes;
    this.segments = List.copyOf(segments);
  }

  static FabricSegments allocate(Domain domain, long bytes, int segmentBytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException("bytes=" + bytes + " < 1, ask for at least one");
    }
    if (segmentBytes < Long.BYTES || segmentBytes % Long.BYTES != 0) {
      throw new IllegalArgumentException(
          "segmentBytes=" + segmentBytes + " is no multiple of 8, so elements would be cut");
    }
    List<FabricMemory> segments = new ArrayList<>();
    try {
      for (long left = bytes; left > 0; left -= segmentBytes) {
        segments.add(domain.allocate((int) Math.min(left, segmentBytes)));
      }
    } catch (RuntimeException | Error e) {
      segments.forEach(FabricMemory::close);
      throw e;
    }
    return new FabricSegments(segmentBytes, segments);
  }

  /** Bytes of each segment but the last. */
  public long segmentBytes() {
    return segmentBytes;
  }

  /** Bytes of all. */
  public long lengthBytes() {
    int last = segments.size() - 1;
    return last * segmentBytes + segments.get(last).buffer().capacity();
  }

  /** The segments, in order. */
  public List<FabricMemory> segments() {
    return segments;
  }

  /** The bytes of the segment in which a byte lies. */
  public MutableDirectBuffer bufferAt(long offset) {
    return segments.get((int) (offset / segmentBytes)).buffer();
  }

  /** Where in that segment it lies. */
  public int indexIn(long offset) {
    return (int) (offset % segmentBytes);
  }

  /** Gives all of it back, as {@link FabricMemory#close}. Idempotent. Thread: any. */
  @Override
  public void close() {
    segments.forEach(FabricMemory::close);
  }
}
