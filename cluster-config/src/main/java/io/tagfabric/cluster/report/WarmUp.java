package io.tagfabric.cluster.report;

import java.util.Arrays;

/**
 * Decides when a program is warm: as soon as the best of its last rounds is no longer faster than
 * the best of those before, or after a bounded time. All rounds must do the same work.
 *
 * <p>The best round is looked at because noise only ever adds time.
 */
public final class WarmUp {
  private static final int WINDOW = 5;
  private static final double TOLERANCE = 0.05;

  private final long minNs;
  private final long maxNs;
  private final long[] recentNs = new long[2 * WINDOW];
  private int rounds;
  private long totalNs;

  /**
   * @param minNs time the rounds take together at least
   * @param maxNs time after which the program counts as warm in any case
   */
  public WarmUp(long minNs, long maxNs) {
    if (minNs < 0 || maxNs < minNs) {
      throw new IllegalArgumentException("minNs=" + minNs + " > maxNs=" + maxNs);
    }
    this.minNs = minNs;
    this.maxNs = maxNs;
  }

  /** Takes note of a round. */
  public void add(long roundNs) {
    recentNs[rounds % recentNs.length] = roundNs;
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

  /** Whether rounds have stopped getting faster. */
  public boolean isSteady() {
    if (rounds < recentNs.length) {
      return false;
    }
    return best(rounds - WINDOW) >= best(rounds - 2 * WINDOW) * (1 - TOLERANCE);
  }

  /** The fastest of the last rounds. */
  public long bestNs() {
    return Arrays.stream(recentNs, 0, Math.min(rounds, recentNs.length)).min().orElse(0);
  }

  private long best(int firstRound) {
    long best = Long.MAX_VALUE;
    for (int i = firstRound; i < firstRound + WINDOW; i++) {
      best = Math.min(best, recentNs[i % recentNs.length]);
    }
    return best;
  }
}
