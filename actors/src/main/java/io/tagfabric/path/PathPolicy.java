package io.tagfabric.path;

/**
 * How the path of a packet is chosen. With more than one path, path 0 is for control alone and data
 * has the others; only {@link #STATIC_BASE} uses path 0 for all.
 *
 * @source OFED+ Host Software 1.5.4 User Guide, chapter 8, Dispersive Routing
 */
public enum PathPolicy {
  /**
   * Short messages of a rank keep the path of its number; each window of a long one takes the path
   * with the fewest bytes outstanding, in turn if equal.
   */
  ADAPTIVE,
  /** All data of a rank takes the path of its number, to all peers. */
  STATIC_SRC,
  /** All data to an endpoint takes one path, from all ranks. */
  STATIC_DEST,
  /** The base path for everything. */
  STATIC_BASE
}
