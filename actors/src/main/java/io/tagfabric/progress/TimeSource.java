package io.tagfabric.progress;

import java.util.concurrent.locks.LockSupport;

/**
 * Where a domain reads time, and how its threads sleep, so that a test or a simulation can move it
 * by hand.
 */
@FunctionalInterface
public interface TimeSource {
  /** The machine's monotonic clock. */
  TimeSource SYSTEM = System::nanoTime;

  /** Monotonic nanoseconds; only differences mean anything. Thread: any. */
  long nanoTime();

  /**
   * Lets the calling thread sleep; it may wake for no reason, as {@link LockSupport#parkNanos}
   * does.
   *
   * @param blocker what thread dumps show that it waits for
   * @param maxNs nanoseconds of this time
   */
  default void park(Object blocker, long maxNs) {
    LockSupport.parkNanos(blocker, maxNs);
  }

  /** Lets other threads have the core of the calling one, if they wait for it. */
  default void yieldCore() {
    Thread.yield();
  }

  /** Wakes a thread that sleeps in {@link #park}, or keeps it from its next sleep. Thread: any. */
  default void unpark(Thread sleeper) {
    LockSupport.unpark(sleeper);
  }
}
