package io.tagfabric.runtime;

import io.tagfabric.annotation.InternalApi;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

/**
 * Threads for tasks that block, and the waits of code that has no loop to drive. A simulation lets
 * one thread run at a time and takes the turn of a thread that waits here, or sleeps by {@link
 * io.tagfabric.progress.TimeSource#park}. Thread: any.
 */
@InternalApi
public interface Threads {
  /**
   * Starts a thread.
   *
   * @param daemon false if the process must not end before the task has
   */
  Thread start(String name, boolean daemon, Runnable task);

  /** Starts a daemon thread. */
  default Thread start(String name, Runnable task) {
    return start(name, true, task);
  }

  /**
   * Waits for the end of something. An interrupt does not cut it short: it is put off until then.
   *
   * @return whether it ended well within the time
   */
  boolean await(Future<?> future, Duration timeout);

  /** Waits for the end of a thread; an interrupt cuts it short and stays set. */
  void await(Thread thread);

  /**
   * Waits without end for the result of a future, as {@link CompletableFuture#join} does.
   *
   * @throws java.util.concurrent.CompletionException if it fails
   */
  <T> T join(CompletableFuture<T> future);
}
