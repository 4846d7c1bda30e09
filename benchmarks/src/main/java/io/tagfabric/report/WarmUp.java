package io.tagfabric.report;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Decides when a program is warm: as soon as the best of its last rounds is no longer faster than
 * the best of those before and the JVM's compilers have little to do, or after a bounded time. All
 * rounds must do the same work.
 *
 * <p>The best round is looked at because noise only ever adds time. The compilers are looked at
 * because rounds are steady, and slow, for as long as the compiled code is being made: on a machine
 * whose cores are all busy that takes seconds.
 */
public final class WarmUp {
  private static final int WINDOW = 5;
  private static final double TOLERANCE = 0.05;
  private static final double MOST_COMPILING = 0.1;

  private final long minNs;
  private final long maxNs;
  private final LongSupplier compilingNs;
  private final long[] recentNs = new long[2 * WINDOW];
  private final long[] compiledNs = new long[2 * WINDOW];
  private int rounds;
  private long totalNs;
  private long lastCompilingNs;

  /**
   * @param minNs time the rounds take together at least
   * @param maxNs time after which the program counts as warm in any case
   */
  public WarmUp(long minNs, long maxNs) {
    this(minNs, maxNs, compilers());
  }

  /**
   * @param compilingNs time that compilers have worked since the program began, of all threads
   */
  public WarmUp(long minNs, long maxNs, LongSupplier compilingNs) {
    if (minNs < 0 || maxNs < minNs) {
      throw new IllegalArgumentException("minNs=" + minNs + " > maxNs=" + maxNs);
    }
    this.minNs = minNs;
    this.maxNs = maxNs;
    this.compilingNs = compilingNs;
    lastCompilingNs = compilingNs.getAsLong();
  }

  private static LongSupplier compilers() {
    CompilationMXBean bean = ManagementFactory.getCompilationMXBean();
    return bean != null && bean.isCompilationTimeMonitoringSupported()
        ? () -> TimeUnit.MILLISECONDS.toNanos(bean.getTotalCompilationTime())
        : () -> 0;
  }

  /** Takes note of a round. */
  public void add(long roundNs) {
    long nowCompilingNs = compilingNs.getAsLong();
    recentNs[rounds % recentNs.length] = roundNs;
    compiledNs[rounds % recentNs.length] = nowCompilingNs - lastCompilingNs;
    lastCompilingNs = nowCompilingNs;
    rounds++;
    totalNs += roundNs;
  }

  /** Whether measuring may begin. */
  public boolean isOver() {
    return isTooLong() || (totalNs >= minNs && isSteady());
  }

  /** Whether the time is up. */
  public boolean isTooLong() {
    return totalNs >= maxNs;
  }

  /** Whether rounds have stopped getting faster and compilers are all but done. */
  public boolean isSteady() {
    if (rounds < recentNs.length) {
      return false;
    }
    return best(rounds - WINDOW) >= best(rounds - 2 * WINDOW) * (1 - TOLERANCE)
        && sum(compiledNs) <= sum(recentNs) * MOST_COMPILING;
  }

  /** The fastest of the last rounds. */
  public long bestNs() {
    return Arrays.stream(recentNs, 0, Math.min(rounds, recentNs.length)).min().orElse(0);
  }

  private static long sum(long[] values) {
    return Arrays.stream(values).sum();
  }

  private long best(int firstRound) {
    long best = Long.MAX_VALUE;
    for (int i = firstRound; i < firstRound + WINDOW; i++) {
      best = Math.min(best, recentNs[i % recentNs.length]);
    }
    return best;
  }
}
