package io.tagfabric.job;

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
}
