package io.tagfabric.active;

import io.tagfabric.annotation.InternalApi;

/** What active messages need of their domain's loop. */
@InternalApi
public interface ActiveClock {
  long nanoTime();

  /** Runs something on the loop after so many nanoseconds. Thread: the loop. */
  void later(long delayNs, Runnable task);

  /** Runs something on the loop. Thread: any. */
  void run(Runnable task);
}
