package io.tagfabric.progress;

/**
 * Whether the waits of application threads follow one another so closely that they drive the loop
 * as well as a thread of its own would.
 *
 * <p>It looks at periods: each ends after so many waits, or after so long. Waits are close in the
 * next period if there were enough in the last, each of at most {@link #CLOSE_NS} with what came
 * before it. A single wait now and then changes nothing. Not thread-safe.
 */
final class WaitPace {
  /** Waits that end a period. */
  static final int ENOUGH = 16;

  /** Time that ends a period. */
  static final long PERIOD_NS = 1_000_000L;

  /** Time from the end of one close wait to the end of the next, on average. */
  static final long CLOSE_NS = 20_000L;

  /** What counts at most as the time for which waits have been close. */
  static final long MOST_CLOSE_NS = 32_000_000L;

  private long beganNs;
  private long closeForNs;
  private int endedBefore;
  private boolean close;

  /**
   * Whether they follow one another closely now.
   *
   * @param ended how many waits have ended so far; may wrap
   * @param nowNs on the loop's clock
   */
  boolean isClose(int ended, long nowNs) {
    int waits = ended - endedBefore;
    long spentNs = nowNs - beganNs;
    if (waits >= ENOUGH || spentNs >= PERIOD_NS) {
      close = waits >= ENOUGH && spentNs <= waits * CLOSE_NS;
      closeForNs = close ? Math.min(closeForNs + spentNs, MOST_CLOSE_NS) : closeForNs / 2;
      endedBefore = ended;
      beganNs = nowNs;
    }
    return close;
  }

  /**
   * Nanoseconds for which waits have been close. Each period in which they were not takes half of
   * it away: where another thread needs a core for a moment, waits are not close meanwhile.
   */
  long closeForNs() {
    return closeForNs;
  }
}
