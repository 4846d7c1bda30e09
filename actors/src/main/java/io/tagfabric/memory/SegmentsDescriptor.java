package io.tagfabric.memory;

import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * What a peer needs to access segments: memory that is longer than one region may be, as regions of
 * equal length one behind the other; the last may be shorter.
 *
 * @param segmentBytes of each segment but the last, a multiple of 8, so no element lies in two
 * @param segments at least one, in order, all with the same rights
 */
public record SegmentsDescriptor(long segmentBytes, List<RegionDescriptor> segments) {
  private static final int HEADER = 16;

  /**
   * Requires segments of these lengths.
   *
   * @throws IllegalArgumentException if there are none, or one has another length
   */
  public SegmentsDescriptor {
    segments = List.copyOf(segments);
    String wrong = wrong(segmentBytes, segments);
    if (wrong != null) {
      throw new IllegalArgumentException(wrong);
    }
  }

  private static String wrong(long segmentBytes, List<RegionDescriptor> segments) {
    if (segmentBytes < Long.BYTES || segmentBytes % Long.BYTES != 0) {
      return "segmentBytes=" + segmentBytes + " is no multiple of 8";
    }
    if (segments.isEmpty()) {
      return "no segments, give one at least";
    }
    if (segments.size() > Long.MAX_VALUE / segmentBytes) {
      return "segments=" + segments.size() + " of segmentBytes=" + segmentBytes + " are too many";
    }
    for (int i = 0; i < segments.size(); i++) {
      long length = segments.get(i).lengthBytes();
      boolean last = i == segments.size() - 1;
      if (last ? length < 1 || length > segmentBytes : length != segmentBytes) {
        return "segment "
            + i
            + " of "
            + segments.size()
            + " has lengthBytes="
            + length
            + " where segmentBytes="
            + segmentBytes
            + (last ? " are the most" : " are due");
      }
      if (!segments.get(i).rights().equals(segments.get(0).rights())) {
        return "segment "
            + i
            + " has rights="
            + segments.get(i).rights()
            + ", the first has rights="
            + segments.get(0).rights();
      }
    }
    return null;
  }

  /** Bytes of all segments. */
  public long lengthBytes() {
    int last = segments.size() - 1;
    return last * segmentBytes + segments.get(last).lengthBytes();
  }

  /** Bytes that {@link #encode} writes. */
  public int encodedLength() {
    return HEADER + segments.size() * RegionDescriptor.LENGTH;
  }

  /** Writes {@link #encodedLength} bytes, little-endian. */
  public void encode(MutableDirectBuffer buffer, int offset) {
    buffer.putLong(offset, segmentBytes, Little.ENDIAN);
    buffer.putLong(offset + 8, segments.size(), Little.ENDIAN);
    int at = offset + HEADER;
    for (RegionDescriptor each : segments) {
      each.encode(buffer, at);
      at += RegionDescriptor.LENGTH;
    }
  }

  /**
   * Reads what {@link #encode} wrote.
   *
   * @throws FabricException INVALID if the bytes are no descriptor of segments
   */
  public static SegmentsDescriptor decode(DirectBuffer buffer, int offset) {
    long room = buffer.capacity() - (long) offset - HEADER;
    if (offset < 0 || room < 0) {
      throw invalid("offset=" + offset + " leaves no header in capacity=" + buffer.capacity());
    }
    long segmentBytes = buffer.getLong(offset, Little.ENDIAN);
    long count = buffer.getLong(offset + 8, Little.ENDIAN);
    if (count < 1 || count > room / RegionDescriptor.LENGTH) {
      throw invalid("segments=" + count + " do not lie in capacity=" + buffer.capacity());
    }
    List<RegionDescriptor> segments = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      segments.add(RegionDescriptor.decode(buffer, offset + HEADER + i * RegionDescriptor.LENGTH));
    }
    String wrong = wrong(segmentBytes, segments);
    if (wrong != null) {
      throw invalid(wrong);
    }
    return new SegmentsDescriptor(segmentBytes, segments);
  }

  private static FabricException invalid(String why) {
    return new FabricException(FabricError.INVALID, why);
  }

  /**
   * Refuses an access that lies outside.
   *
   * @throws FabricException ACCESS with the numbers
   */
  public void require(long offset, long length) {
    if (!Bounds.hold(offset, length, lengthBytes())) {
      throw new FabricException(
          FabricError.ACCESS,
          "offset="
              + offset
              + " lengthBytes="
              + length
              + " do not lie in segments="
              + segments.size()
              + " of together lengthBytes="
              + lengthBytes());
    }
  }

  /** The segment that a byte lies in; that behind the last byte lies in the last. */
  public int indexOf(long offset) {
    return (int) Math.min(segments.size() - 1L, offset / segmentBytes);
  }
}
