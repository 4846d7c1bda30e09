package io.tagfabric.progress;

/**
 * The time of what runs on one loop. Inside a pass the clock is read when it is first asked for,
 * and that is the time of the whole pass; a task that ran meanwhile may have taken long, so it is
 * read anew after one. Outside a pass each call reads the clock. Thread: the one that has the loop.
 */
final class PassTime implements TimeSource {
  private final TimeSource clock;
  private boolean inPass;
  private boolean isRead;
  private long nowNs;

  PassTime(TimeSource clock) {
    this.clock = clock;
  }

  /** A pass begins, or something in it has ended that may have taken long. */
  void begin() {
    inPass = true;
    isRead = false;
  }

  /** The pass has ended. */
  void end() {
    inPass = false;
  }

  @Override
  public long nanoTime() {
    if (!inPass) {
      return clock.nanoTime();
    }
    if (!isRead) {
      nowNs = clock.nanoTime();
      isRead = true;
    }
    return nowNs;
  }
}
