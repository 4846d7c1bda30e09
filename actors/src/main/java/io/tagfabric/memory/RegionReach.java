package io.tagfabric.memory;

/** Who moves the bytes of an access to a region. */
public enum RegionReach {
  /**
   * The loop of the region's domain does each access, whatever provider brings it: in MANUAL
   * progress when the owner reads or waits.
   */
  LOOP
}
