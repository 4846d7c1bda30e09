package io.tagfabric.provider;

import io.tagfabric.annotation.InternalApi;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.collections.LongHashSet;

/**
 * Regions of a peer that were looked for before. What a generation is does not change: one that was
 * not found never will be. Thread: the domain's loop.
 */
@InternalApi
public abstract class KnownRegions implements DirectMemory {
  /** How many it remembers. */
  private static final int MOST = 4096;

  private final Long2ObjectHashMap<DirectRegion> known = new Long2ObjectHashMap<>();
  private final LongHashSet unreachable = new LongHashSet();
  private long lastGeneration;
  private DirectRegion last;

  /** Looks for a region; null if this side cannot reach it. */
  protected abstract DirectRegion open(long generation);

  /** Whether the peer is to be asked for each access now. */
  protected boolean isClosed() {
    return false;
  }

  @Override
  public final DirectRegion find(long key, long generation) {
    if (isClosed()) {
      return null;
    }
    if (last == null || generation != lastGeneration) {
      last = known.get(generation);
      lastGeneration = generation;
      if (last == null && !unreachable.contains(generation)) {
        last = look(generation);
      }
    }
    return last != null && last.pass().key() == key ? last : null;
  }

  private DirectRegion look(long generation) {
    if (known.size() + unreachable.size() >= MOST) {
      known.values().removeIf(each -> !each.isOpen());
      unreachable.clear();
    }
    DirectRegion region = open(generation);
    if (region == null) {
      unreachable.add(generation);
    } else {
      known.put(generation, region);
    }
    return region;
  }

  /** Reaches nothing any more. */
  protected final void forget() {
    last = null;
    known.clear();
    unreachable.clear();
  }
}
