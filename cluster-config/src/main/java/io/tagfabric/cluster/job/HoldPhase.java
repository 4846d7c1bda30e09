package io.tagfabric.cluster.job;

/** Where a rank stands still while its job ends, so that a test can hit it there. */
public enum HoldPhase {
  /** Nowhere. */
  NONE,
  /** While it agrees with other ranks that end as well. */
  REDUCING,
  /** Before it asks to be made the leader. */
  ELECTING,
  /** While another leads. */
  FOLLOWING,
  /** When it leads, before it has told anybody to end. */
  LEADING,
  /** When all is decided, before its process ends. */
  ENDED
}
