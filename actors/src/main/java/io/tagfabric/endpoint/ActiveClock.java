package io.tagfabric.endpoint;

/** What active messages need of their domain's loop. */
interface ActiveClock {
  long nanoTime();

  /** Runs something on the loop after so many nanoseconds. Thread: the loop. */
  void later(long delayNs, Runnable task);

  /** Runs something on the loop. Thread: any. */
  void run(Runnable task);
}
