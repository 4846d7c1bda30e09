package io.tagfabric.progress;

/**
 * When a paced thread may wake up next. Each wake-up takes a token, and one comes each period, so
 * on average there are no more wake-ups than periods. Single threaded.
 *
 * <p>A thread that gets its core late, or whose pass has taken long, makes up for it: tokens that
 * came while it was late wait for it, {@value #MOST_LATE} of them at most. Those that came while it
 * slept for want of work do not, nor does an interval make up for anything.
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

  private static final int MOST_LATE = 5;

  private final long periodNs;
  private final boolean byInterval;
  private long wokeNs;

  /** When the next token comes, or has come. */
  private long nextNs;

  /** When a rest is over: with the next token, or a little later than now if that has come. */
  private long restedNs;

  private boolean foundWork;
  private boolean rests;

  WakeUpPace(ProgressPacing pacing, long nowNs) {
    periodNs = pacing.periodNs();
    byInterval = pacing.intervalNs() > 0;
    wokeNs = nowNs;
    nextNs = nowNs + periodNs;
    restedNs = nowNs;
  }

  /** Whether wake-ups are limited at all. */
  boolean isLimited() {
    return periodNs > 0;
  }

  /** A pass has found work. */
  void worked() {
    foundWork = true;
  }

  /**
   * Whether it has worked without a break for so long that it has to rest; half as long if it is
   * late.
   */
  boolean isDue(long nowNs) {
    boolean isLate = nextNs - nowNs <= 0;
    long mostNs = isLate ? periodNs / 2 : periodNs - periodNs / 10;
    return nowNs - wokeNs >= mostNs;
  }

  /**
   * A rest is due though there is work. One that is late, so that its token has come already, rests
   * for a tenth of a period all the same; else it would never rest again while there is work.
   */
  void restIsDue(long nowNs) {
    if (nextNs - nowNs <= 0) {
      restedNs = nowNs + Math.max(1, periodNs / 10);
      foundWork = true;
    }
  }

  /** What to do when there is nothing to do, or a rest is due. */
  Idle idle(long nowNs) {
    long aheadNs = Math.max(nextNs - nowNs, restedNs - nowNs);
    boolean mayBeWoken = !foundWork && aheadNs <= periodNs;
    rests = byInterval || (aheadNs > 0 && !mayBeWoken);
    return rests ? Idle.REST : Idle.SLEEP;
  }

  /** When a rest is over. */
  long nextNs() {
    return restedNs - nextNs > 0 ? restedNs : nextNs;
  }

  /** It has woken up. */
  void woke(long nowNs) {
    long mostLateNs = rests && !byInterval ? MOST_LATE * periodNs : 0;
    wokeNs = nowNs;
    nextNs = Math.max(nextNs - nowNs, -mostLateNs) + nowNs + periodNs;
    restedNs = nowNs;
    foundWork = false;
  }
}
