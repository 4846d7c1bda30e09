package io.tagfabric.complete;

/**
 * Which ends of operations leave an entry in a completion queue. Counters count either way.
 *
 * @source libfabric fi_endpoint(3), FI_SELECTIVE_COMPLETION; fi_cq(3)
 */
public enum Completions {
  /** Every end. */
  ALL,
  /** Failures only. */
  ERRORS
}
