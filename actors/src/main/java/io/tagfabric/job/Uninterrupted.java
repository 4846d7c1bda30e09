package io.tagfabric.job;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The end of a rank is no wait that an interrupt could cut short: it is put off, and the thread is
 * interrupted again afterwards.
 */
final class Uninterrupted {
  private Uninterrupted() {}

  /** Does something on this thread as if nobody had interrupted it. */
  static void run(Runnable task) {
    boolean interrupted = Thread.interrupted();
    try {
      task.run();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Waits for the end of something, and says whether it ended well within a time. */
  static boolean await(Future<?> future, Duration timeout) {
    long deadlineNs = System.nanoTime() + timeout.toNanos();
    boolean interrupted = false;
    try {
      while (true) {
        try {
          future.get(deadlineNs - System.nanoTime(), TimeUnit.NANOSECONDS);
          return true;
        } catch (ExecutionException | TimeoutException late) {
          return false;
        } catch (InterruptedException notNow) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
