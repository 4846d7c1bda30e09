package io.tagfabric.provider;

import io.tagfabric.annotation.InternalApi;
import org.agrona.DirectBuffer;

/** Fabric memory whose regions others than the owner's loop access too. Thread: any. */
@InternalApi
public interface GatedMemory extends FabricMemory {
  /**
   * Opens a gate to a part of it.
   *
   * @param generation of the region; unique on the host
   * @param at where the region begins, a multiple of 8
   * @return null if there is no room for one more
   */
  RegionGate openGate(long generation, int at, RegionPass pass);

  /** All of it, and what fills up its last word of 8 bytes. */
  DirectBuffer words();

  /**
   * What says whether the memory has lost its file; of memory without one {@link MemoryEnd#FIXED}.
   */
  default MemoryEnd end() {
    return MemoryEnd.FIXED;
  }

  /** Of memory whose file was cut: makes it safe to touch again. Its bytes are lost. */
  default void restore() {}

  /** Nobody shall find the region any more. */
  void hideGate(long generation);

  /** Whether no process that lives is inside a region. */
  boolean isQuiet(long generation);

  /** The gate may be another region's. */
  void releaseGate(RegionGate gate);
}
