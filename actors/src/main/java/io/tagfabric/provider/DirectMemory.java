package io.tagfabric.provider;

import io.tagfabric.annotation.InternalApi;

/** The regions of a peer that this side accesses itself. Thread: the domain's loop. */
@InternalApi
public interface DirectMemory {
  /** A region; null if this side cannot reach it, or there is none. */
  DirectRegion find(long key, long generation);
}
