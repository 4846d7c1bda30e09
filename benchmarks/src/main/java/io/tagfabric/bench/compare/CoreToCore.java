package io.tagfabric.bench.compare;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How long a cache line takes from one core to another: two threads pass a number to and fro by
 * compare-and-set. What two processes that poll shared memory cannot be quicker than.
 */
final class CoreToCore {
  private static final long RUN_NS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final int RUNS = 5;
  private static final int TURNS_PER_LOOK = 1_000;

  /**
   * What several measurements were, in nanoseconds; not numbers if there was none.
   *
   * @param least of them
   * @param median of them
   * @param most of them
   */
  record Spread(double least, double median, double most) {
    static final Spread NONE = new Spread(Double.NaN, Double.NaN, Double.NaN);

    static Spread of(List<Double> measured) {
      double[] sorted =
          measured.stream()
              .mapToDouble(ns -> ns)
              .filter(ns -> !Double.isNaN(ns))
              .sorted()
              .toArray();
      return sorted.length == 0
          ? NONE
          : new Spread(sorted[0], sorted[sorted.length / 2], sorted[sorted.length - 1]);
    }

    boolean isKnown() {
      return !Double.isNaN(median);
    }
  }

  private CoreToCore() {}

  /**
   * Nanoseconds of one way, the least of some runs of 50 ms; not a number where the threads had to
   * share a core.
   */
  static double measureNs() {
    double least = Double.MAX_VALUE;
    for (int i = 0; i < RUNS; i++) {
      least = Math.min(least, nowNs());
    }
    return least;
  }

  /**
   * The same of one run. A host may give a guest other cores at any time, so that it is worth
   * knowing again.
   */
  static double nowNs() {
    if (Runtime.getRuntime().availableProcessors() < 2) {
      return Double.NaN;
    }
    AtomicInteger turn = new AtomicInteger();
    Thread other = new Thread(() -> answer(turn), "core-to-core");
    other.setDaemon(true);
    other.start();
    long beginNs = System.nanoTime();
    long elapsedNs;
    long turns = 0;
    do {
      for (int i = 0; i < TURNS_PER_LOOK; i++) {
        pass(turn, 0, 1);
      }
      turns += TURNS_PER_LOOK;
      elapsedNs = System.nanoTime() - beginNs;
    } while (elapsedNs < RUN_NS);
    while (!turn.compareAndSet(0, 2)) {
      Thread.onSpinWait();
    }
    return (double) elapsedNs / (2 * turns);
  }

  private static void answer(AtomicInteger turn) {
    while (turn.get() != 2) {
      if (turn.get() == 1) {
        pass(turn, 1, 0);
      }
      Thread.onSpinWait();
    }
  }

  private static void pass(AtomicInteger turn, int mine, int next) {
    while (!turn.compareAndSet(mine, next)) {
      Thread.onSpinWait();
    }
  }
}
