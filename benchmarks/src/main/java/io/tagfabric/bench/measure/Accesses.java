package io.tagfabric.bench.measure;

import io.tagfabric.report.WarmUp;
import java.util.function.Consumer;

/**
 * Plays the cells of a workload that access memory, one access after the other.
 *
 * @param subject does the accesses
 */
public record Accesses(Workload workload, Subject subject) {
  private static final long WARM_UP_ROUND_NS = 20_000_000L;
  private static final int LONGEST_ROUND = 1 << 20;
  private static final int LEAST_COUNT = 10;
  private static final int MOST_COUNT = 100_000_000;

  /** Does accesses. */
  @FunctionalInterface
  public interface Subject {
    /** Does so many; the nanoseconds of all. */
    long run(Cell cell, int count);
  }

  /** Measures all cells in order. */
  public void play(Consumer<Sample> samples) {
    int place = 0;
    for (Cell cell : workload.cells()) {
      Budget budget = workload.budget(place++);
      int count = warmUp(cell, budget);
      double usec = subject.run(cell, count) / 1e3 / count;
      samples.accept(new Sample(cell.metric(), cell.size(), usec, 0, ""));
    }
  }

  /** Warms a cell up until it gets no faster; as many accesses as fill a run. */
  private int warmUp(Cell cell, Budget budget) {
    int round = LEAST_COUNT;
    long spentNs = subject.run(cell, round);
    long roundNs = spentNs;
    while (roundNs < WARM_UP_ROUND_NS && round < LONGEST_ROUND) {
      round *= 2;
      roundNs = subject.run(cell, round);
      spentNs += roundNs;
    }
    WarmUp warmUp =
        new WarmUp(
            Math.max(0, budget.warmUpMinNs() - spentNs),
            Math.max(0, budget.warmUpMaxNs() - spentNs));
    do {
      warmUp.add(subject.run(cell, round));
    } while (!warmUp.isOver());
    double accessNs = Math.max(1.0, (double) warmUp.bestNs() / round);
    return (int) Math.max(LEAST_COUNT, Math.min(MOST_COUNT, budget.runNs() / accessNs));
  }
}
