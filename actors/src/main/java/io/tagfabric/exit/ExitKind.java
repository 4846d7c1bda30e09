package io.tagfabric.exit;

/** How a rank asks for the end of its job. */
public enum ExitKind {
  /** The others probably do the same: agree on a code first. */
  TOGETHER,
  /** The others do not expect it: go straight to the election. */
  NOW,
  /** By a signal: the rank's exit hooks may still choose another code, then as {@link #NOW}. */
  SIGNAL,
  /** The rank has lost another, and {@code exit.on-loss} is abort: as {@link #NOW}. */
  LOSS
}
