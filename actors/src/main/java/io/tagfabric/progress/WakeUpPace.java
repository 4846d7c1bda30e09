package io.tagfabric.progress;

/**
 * When a paced thread may wake up next. Each wake-up takes a token, and one comes each period, so
 * on average there are no more wake-ups than periods. Single threaded.
 *
 * <p>Three rules. Found work: it rests until there is a token, whatever comes meanwhile. Found
 * none: it sleeps until work wakes it, on a token of the future, but one at most; with an interval
 * it rests. Finds work without end: it rests after nine tenths of a period.
 */
final class WakeUpPace {
  /** What a thread that has nothing more to do now does. */
  enum Idle {
    /** Rest until {@link #nextNs}, and be woken by no work. */
    REST,
    /** Sleep until there is work. */
    SLEEP
  }

  private final long periodNs;
  private final boolean byInterval;
  private long wokeNs;
  private long nextNs;
  private boolean foundWork;

  WakeUpPace(ProgressPacing pacing, long nowNs) {
    periodNs = pacing.periodNs();
    byInterval = pacing.intervalNs() > 0;
    wokeNs = nowNs;
    nextNs = nowNs + periodNs;
  }

  /** Whether wake-ups are limited at all. */
  boolean isLimited() {
    return periodNs > 0;
  }

  /** A pass has found work. */
  void worked() {
    foundWork = true;
  }

  /** Whether it has worked without a break for so long that it has to rest. */
  boolean isDue(long nowNs) {
    return nowNs - wokeNs >= periodNs - periodNs / 10;
  }

  /**
   * A rest is due though there is work. One that is late, so that its token has come already, rests
   * for a tenth of a period all the same; else it would never rest again while there is work.
   */
  void restIsDue(long nowNs) {
    if (nextNs - nowNs <= 0) {
      nextNs = nowNs + Math.max(1, periodNs / 10);
      foundWork = true;
    }
  }

  /** What to do when there is nothing to do, or a rest is due. */
  Idle idle(long nowNs) {
    long aheadNs = nextNs - nowNs;
    boolean mayBeWoken = !foundWork && aheadNs <= periodNs;
    return byInterval || (aheadNs > 0 && !mayBeWoken) ? Idle.REST : Idle.SLEEP;
  }

  /** When a rest is over. */
  long nextNs() {
    return nextNs;
  }

  /** It has woken up. */
  void woke(long nowNs) {
    wokeNs = nowNs;
    nextNs = Math.max(nextNs - nowNs, 0) + nowNs + periodNs;
    foundWork = false;
  }
}
