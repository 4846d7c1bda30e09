package io.tagfabric.access;

import io.tagfabric.memory.SegmentsDescriptor;
import java.util.List;
import java.util.Objects;

/**
 * Segments of a peer, as {@link RemoteRegion} is for a region. A program makes one and keeps it.
 * What is no access of {@link SegmentFutures} is one of the region that {@link #at} names.
 *
 * @param peer index in the domain's address vector
 * @param descriptor of the segments, which the peer has given out
 * @param regions the segments, in order
 */
public record RemoteSegments(int peer, SegmentsDescriptor descriptor, List<RemoteRegion> regions) {
  /** Segments of a peer. */
  public RemoteSegments(int peer, SegmentsDescriptor descriptor) {
    this(
        peer,
        Objects.requireNonNull(descriptor, "descriptor"),
        descriptor.segments().stream().map(each -> new RemoteRegion(peer, each)).toList());
  }

  /** Takes regions of these segments only. */
  public RemoteSegments {
    regions = List.copyOf(regions);
    for (int i = 0; i < regions.size(); i++) {
      RemoteRegion region = regions.get(i);
      if (regions.size() != descriptor.segments().size()
          || region.peer() != peer
          || !region.descriptor().equals(descriptor.segments().get(i))) {
        throw new IllegalArgumentException("region " + i + " is not a segment of peer=" + peer);
      }
    }
  }

  /** The segment that a byte lies in. */
  public RemoteRegion at(long offset) {
    return regions.get(descriptor.indexOf(offset));
  }

  /** Where in that segment it lies. */
  public long offsetIn(long offset) {
    return offset - descriptor.indexOf(offset) * descriptor.segmentBytes();
  }
}
