package io.tagfabric.exit;

/** The one run of a rank's exit hooks. */
final class HookRun {
  private long deadlineNs = Deadlines.NEVER;
  private boolean begun;
  private boolean overran;

  /** Starts them unless they were started before. */
  void begin(long untilNs, Runnable start) {
    if (!begun) {
      begun = true;
      deadlineNs = untilNs;
      start.run();
    }
  }

  /** They are over; false if they were before, or never began. */
  boolean end() {
    boolean running = areRunning();
    deadlineNs = Deadlines.NEVER;
    return running;
  }

  /** Whether they have had their time. */
  boolean overrun(long nowNs) {
    boolean late = nowNs >= deadlineNs;
    overran |= late;
    return late;
  }

  boolean areRunning() {
    return deadlineNs != Deadlines.NEVER;
  }

  boolean overran() {
    return overran;
  }

  /** When they are given up, {@link Deadlines#NEVER} if they do not run. */
  long deadlineNs() {
    return deadlineNs;
  }
}
