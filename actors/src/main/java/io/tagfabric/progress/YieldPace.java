package io.tagfabric.progress;

/**
 * How long the progress thread yields before it parks. Where messages come so closely one after
 * another that a longer wait has lately met each of them, it waits that long: to be woken costs
 * more, on both sides. A single message now and then changes nothing.
 *
 * <p>It looks at gaps: from the last pass that found work to the next that does. Gaps in which the
 * thread would have yielded anyhow say nothing. Not thread-safe.
 */
final class YieldPace {
  /** Gaps that a longer wait would have met, one after another, before the thread waits so long. */
  static final int ENOUGH = 4;

  private final long farNs;
  private final long closeNs;
  private int met;

  /**
   * No message has come yet.
   *
   * @param farNs how long to yield for messages that are far from one another
   * @param closeNs how long to yield for those that are close
   */
  YieldPace(long farNs, long closeNs) {
    this.farNs = farNs;
    this.closeNs = closeNs;
  }

  /** A pass has found work after so long without. */
  void found(long gapNs) {
    if (gapNs > closeNs) {
      met = 0;
    } else if (gapNs > farNs && met < ENOUGH) {
      met++;
    }
  }

  /** Application threads wait: they drive themselves, or need a core to see what was found. */
  void othersWait() {
    met = 0;
  }

  /** Nanoseconds of yielding before parking. */
  long yieldNs() {
    return met == ENOUGH ? Math.max(farNs, closeNs) : farNs;
  }
}
