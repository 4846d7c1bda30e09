package io.tagfabric.trials.soak;

import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.match.TagMatcher;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Asks now and then how many messages wait at an endpoint. Thread: one. */
final class UnexpectedWatch {
  private static final long STEADY_NS = TimeUnit.MILLISECONDS.toNanos(500);

  private final Endpoint endpoint;
  private final boolean untilSteady;
  private CompletableFuture<TagMatcher.State> asked;
  private int last = -1;
  private long lastChangeNs;

  /**
   * @param untilSteady whether to wait until their number has not changed for a while
   */
  UnexpectedWatch(Endpoint endpoint, boolean untilSteady) {
    this.endpoint = endpoint;
    this.untilSteady = untilSteady;
  }

  /** Whether so many wait; asks again if not. */
  boolean hasReached(long wanted) {
    if (asked == null) {
      asked = endpoint.futures().matcherState().toCompletableFuture();
    }
    if (!asked.isDone()) {
      return false;
    }
    int waiting = asked.join().unexpectedMessages();
    asked = null;
    if (!untilSteady) {
      return waiting >= wanted;
    }
    long nowNs = System.nanoTime();
    if (waiting != last) {
      last = waiting;
      lastChangeNs = nowNs;
    }
    return waiting > 0 && nowNs - lastChangeNs >= STEADY_NS;
  }
}
