package io.tagfabric.progress;

import io.tagfabric.annotation.InternalApi;
import java.time.Duration;
import java.util.Objects;

/** How long calls wait, as numbers a clock can be compared with. */
@InternalApi
public final class Timeouts {
  /** Longer than anybody waits, and short enough for every timer. */
  private static final Duration LONGEST = Duration.ofDays(200);

  private Timeouts() {}

  /**
   * A time to wait in nanoseconds; as good as for ever is 200 days.
   *
   * @throws NullPointerException if {@code timeout} is null
   */
  public static long nanos(Duration timeout) {
    Objects.requireNonNull(timeout, "timeout");
    if (timeout.isNegative()) {
      return 0;
    }
    return timeout.compareTo(LONGEST) > 0 ? LONGEST.toNanos() : timeout.toNanos();
  }

  /**
   * Refuses a time that is none.
   *
   * @param name of the argument, for the text
   * @throws NullPointerException if {@code timeout} is null
   * @throws IllegalArgumentException if it is negative
   */
  public static void requireNotNegative(Duration timeout, String name) {
    Objects.requireNonNull(timeout, name);
    if (timeout.isNegative()) {
      throw new IllegalArgumentException(
          name + "=" + timeout + " < 0, pass how long it may take or Duration.ZERO");
    }
  }
}
