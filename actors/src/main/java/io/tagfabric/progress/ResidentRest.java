package io.tagfabric.progress;

/**
 * A rest of the progress thread that no work ends, only the clock or {@link #end}. A thread that
 * ends it first says so, then looks whether somebody rests; the one that rests looks the other way
 * round, and all of it is volatile, so at least one of the two sees the other.
 */
final class ResidentRest {
  private final Object blocker;
  private final TimeSource time;
  private volatile boolean ended;
  private volatile Thread resting;

  /**
   * Nobody rests.
   *
   * @param blocker what thread dumps show that the thread waits for
   */
  ResidentRest(Object blocker, TimeSource time) {
    this.blocker = blocker;
    this.time = time;
  }

  /** Rests until a time; false if there was no rest. Thread: the resident driver. */
  boolean until(long untilNs) {
    boolean rested = false;
    resting = Thread.currentThread();
    try {
      long leftNs;
      while (!ended
          && !Thread.currentThread().isInterrupted()
          && (leftNs = untilNs - time.nanoTime()) > 0) {
        time.park(blocker, leftNs);
        rested = true;
      }
    } finally {
      resting = null;
      ended = false;
    }
    return rested;
  }

  /** Ends the rest under way, or the next one. Thread: any. */
  void end() {
    ended = true;
    Thread thread = resting;
    if (thread != null) {
      time.unpark(thread);
    }
  }
}
