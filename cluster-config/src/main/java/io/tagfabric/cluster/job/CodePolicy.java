package io.tagfabric.cluster.job;

/** Which code a job ends with when its ranks ask for different ones. */
public enum CodePolicy {
  /** The highest. */
  MAX,
  /** The one asked for first, by the clocks of the ranks' hosts. */
  FIRST,
  /** That of the lowest rank. */
  LEADER
}
