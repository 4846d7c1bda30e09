package io.tagfabric.fabric;

import io.tagfabric.memory.Region;
import io.tagfabric.memory.RegionDescriptor;
import io.tagfabric.memory.SegmentsDescriptor;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Segments that are open to peers: a region of each, that close together. Thread: any.
 *
 * @see Domain#register(FabricSegments, java.util.Set, io.tagfabric.memory.RegionOptions)
 */
public final class SegmentedRegion {
  private final SegmentsDescriptor descriptor;
  private final List<Region> regions;

  SegmentedRegion(long segmentBytes, List<Region> regions) {
    this.regions = List.copyOf(regions);
    List<RegionDescriptor> descriptors = regions.stream().map(Region::descriptor).toList();
    descriptor = new SegmentsDescriptor(segmentBytes, descriptors);
  }

  /** What peers need; give it to them, in any message. */
  public SegmentsDescriptor descriptor() {
    return descriptor;
  }

  /** A region for each segment, in order. */
  public List<Region> regions() {
    return regions;
  }

  /**
   * Closes the regions of all segments.
   *
   * @return completes when no access of any is under way, as {@link Region#close()}. Waiting for it
   *     drives the loop
   */
  public CompletionStage<Void> close() {
    CompletionStage<Void> closed = null;
    for (Region region : regions) {
      CompletionStage<Void> its = region.close();
      closed = closed == null ? its : closed.thenCombine(its, (one, other) -> null);
    }
    return closed;
  }
}
