package io.tagfabric.progress;

import io.tagfabric.cluster.settings.RecordCopy;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * How the progress thread of AUTO mode shares time and loop with the rest of the program.
 *
 * @param rate wake-ups a second at most, 0 for no limit; holds on average, and under any load
 * @param intervalNs nanoseconds from one wake-up to the next, whether there is work or not; 0 to be
 *     woken by work
 * @param pollMode who else may drive
 * @param deferred whether the thread starts only when the program says so
 * @param closeYieldNs nanoseconds of yielding before it parks while messages follow one another
 *     within that time; less than the {@link IdlePolicy} of the thread says changes nothing
 * @source GASNet ibv-conduit, GASNET_RCV_THREAD_RATE; libfabric fi_psm(7), FI_PSM_PROG_INTERVAL
 */
public record ProgressPacing(
    int rate, long intervalNs, PollMode pollMode, boolean deferred, long closeYieldNs) {
  /** No limits: woken by work, serialized, started with the domain. */
  public static final ProgressPacing NONE = new ProgressPacing(0, 0, PollMode.SERIALIZED, false, 0);

  public ProgressPacing {
    if (rate < 0 || intervalNs < 0 || closeYieldNs < 0) {
      throw new IllegalArgumentException(
          "rate="
              + rate
              + ", intervalNs="
              + intervalNs
              + " and closeYieldNs="
              + closeYieldNs
              + " must not be negative");
    }
    Objects.requireNonNull(pollMode, "pollMode");
  }

  /** The same with another limit of wake-ups a second; 0 for none. */
  public ProgressPacing withRate(int newRate) {
    return RecordCopy.with(this, "rate", newRate);
  }

  /** The same with another interval in nanoseconds; 0 to be woken by work. */
  public ProgressPacing withInterval(long newIntervalNs) {
    return RecordCopy.with(this, "intervalNs", newIntervalNs);
  }

  /** The same with another mode of polling. */
  public ProgressPacing withPollMode(PollMode newPollMode) {
    return RecordCopy.with(this, "pollMode", newPollMode);
  }

  /** The same with a thread that starts when the program says so, or with the domain. */
  public ProgressPacing withDeferred(boolean newDeferred) {
    return RecordCopy.with(this, "deferred", newDeferred);
  }

  /** Least time between two wake-ups on average, 0 for none. */
  long periodNs() {
    long byRate = rate == 0 ? 0 : TimeUnit.SECONDS.toNanos(1) / rate;
    return Math.max(byRate, intervalNs);
  }
}
