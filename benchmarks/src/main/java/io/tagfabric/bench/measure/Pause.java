package io.tagfabric.bench.measure;

import java.util.concurrent.locks.LockSupport;

/** Lets time pass in which the calling thread sleeps. */
public final class Pause {
  private Pause() {}

  /** Sleeps for all of the time, however often it is woken meanwhile. */
  public static void of(long durationNs) {
    long endNs = System.nanoTime() + durationNs;
    long leftNs = durationNs;
    while (leftNs > 0) {
      LockSupport.parkNanos(leftNs);
      leftNs = endNs - System.nanoTime();
    }
  }
}
