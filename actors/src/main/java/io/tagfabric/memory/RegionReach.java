package io.tagfabric.memory;

/** Who moves the bytes of an access to a region. */
public enum RegionReach {
  /**
   * The loop of the region's domain does each access, whatever provider brings it: in MANUAL
   * progress when the owner reads or waits.
   */
  LOOP,

  /**
   * Peers in the region's JVM, and those of the same host and user over {@code shm}, do accesses
   * themselves, also while the owner's loop stands still; all others ask the loop. Every update of
   * an element, by whom ever, is a compare and set in the memory.
   */
  DIRECT
}
