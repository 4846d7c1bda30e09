package io.tagfabric.bench.ours;

import io.tagfabric.bench.ours.FabricEnd.Waiting;
import io.tagfabric.complete.CompletionHandler;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;

/** Reads what has come, and waits for it as {@link FabricEnd} does. Thread: one. */
final class Arrivals {
  private static final int BATCH = 256;
  private static final int POLLS_PER_LOOK = 64;
  private static final long POLLING_NS = 1_000_000;

  private final CompletionQueue queue;
  private final Waiting waiting;

  Arrivals(CompletionQueue queue, Waiting waiting) {
    this.queue = queue;
    this.waiting = waiting;
  }

  /** Hands over what has come, at least one. */
  void read(CompletionHandler handler) {
    int read = queue.read(handler, BATCH);
    if (read > 0 || (waiting == Waiting.POLLING && poll(handler))) {
      return;
    }
    if (queue.readBlocking(handler, BATCH, FabricEnd.PATIENCE) == 0) {
      throw new FabricException(
          FabricError.TIMED_OUT, "nothing has come for " + FabricEnd.PATIENCE);
    }
  }

  private boolean poll(CompletionHandler handler) {
    long beginNs = 0;
    for (int polls = 1; ; polls++) {
      if (queue.read(handler, BATCH) > 0) {
        return true;
      }
      if (polls % POLLS_PER_LOOK == 0) {
        long nowNs = System.nanoTime();
        if (beginNs == 0) {
          beginNs = nowNs;
        } else if (nowNs - beginNs > POLLING_NS) {
          return false;
        }
        Thread.yield();
      }
    }
  }
}
