package io.tagfabric.bench.progress;

import java.util.concurrent.TimeUnit;

/**
 * How long each phase of a trial takes.
 *
 * @param warmUpNs nanoseconds of messages before anything is measured
 * @param idleNs nanoseconds without any
 * @param busyNs nanoseconds of messages
 * @param computations how many long messages come, one in each computation
 * @param computingNs nanoseconds that a computation takes
 */
record TrialTimes(long warmUpNs, long idleNs, long busyNs, int computations, long computingNs) {
  /** All ways within a minute. */
  static final TrialTimes QUICK = ofMillis(500, 500, 700, 3, 50);

  /** Figures that one can quote. */
  static final TrialTimes FULL = ofMillis(2_000, 2_000, 3_000, 11, 100);

  private static TrialTimes ofMillis(
      int warmUp, int idle, int busy, int computations, int computing) {
    return new TrialTimes(
        TimeUnit.MILLISECONDS.toNanos(warmUp),
        TimeUnit.MILLISECONDS.toNanos(idle),
        TimeUnit.MILLISECONDS.toNanos(busy),
        computations,
        TimeUnit.MILLISECONDS.toNanos(computing));
  }
}
