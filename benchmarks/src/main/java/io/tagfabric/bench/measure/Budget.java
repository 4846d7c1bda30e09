package io.tagfabric.bench.measure;

import java.util.concurrent.TimeUnit;

/**
 * Time that a measurement may take.
 *
 * @param warmUpMinNs shortest warm-up
 * @param warmUpMaxNs longest warm-up, steady or not
 * @param warmUpIterations least iterations of a warm-up that ends before its longest: on a busy
 *     machine the compilers lag behind the clock, and calls are what they count
 * @param runNs time of a run
 */
public record Budget(long warmUpMinNs, long warmUpMaxNs, int warmUpIterations, long runNs) {
  /** For a figure that stands alone. */
  public static final Budget FULL = ofMillis(500, 6_000, 100_000, 500);

  public Budget {
    if (warmUpMinNs < 0 || warmUpMaxNs < warmUpMinNs || runNs < 1) {
      throw new IllegalArgumentException(
          "warmUpMinNs="
              + warmUpMinNs
              + " warmUpMaxNs="
              + warmUpMaxNs
              + " runNs="
              + runNs
              + " are no times in this order, all greater than 0");
    }
  }

  /** The same in milliseconds. */
  public static Budget ofMillis(long warmUpMin, long warmUpMax, int warmUpIterations, long run) {
    return new Budget(
        TimeUnit.MILLISECONDS.toNanos(warmUpMin),
        TimeUnit.MILLISECONDS.toNanos(warmUpMax),
        warmUpIterations,
        TimeUnit.MILLISECONDS.toNanos(run));
  }
}
