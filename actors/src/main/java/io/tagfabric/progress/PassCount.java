package io.tagfabric.progress;

import io.tagfabric.annotation.InternalApi;

/**
 * How many passes of a loop have begun, so that its parts know what they did in the same one. What
 * enters between two passes counts as part of the first. Thread: the one that has the loop.
 */
@InternalApi
public final class PassCount {
  private long begun;

  /** A pass begins. */
  public void begin() {
    begun++;
  }

  /** Passes that have begun. */
  public long begun() {
    return begun;
  }
}
