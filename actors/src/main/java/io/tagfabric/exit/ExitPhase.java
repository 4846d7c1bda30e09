package io.tagfabric.exit;

import io.tagfabric.annotation.InternalApi;

/** How far a rank is with the end of its job; the package's page draws them. */
@InternalApi
public enum ExitPhase {
  /** The job goes on. */
  RUNNING,
  /** A signal has come; the hooks may choose another code. */
  ASKING,
  /** Agreeing with other ranks that end as well. */
  REDUCING,
  /** Asking to be made the leader. */
  ELECTING,
  /** Another leads. */
  FOLLOWING,
  /** To lead, but asking first who has been told to end before. */
  PREPARING,
  /** Telling the others to end. */
  LEADING,
  /** Over, but for the hooks. */
  DECIDED,
  /** Over. */
  ENDED;

  boolean isOver() {
    return this == DECIDED || this == ENDED;
  }
}
