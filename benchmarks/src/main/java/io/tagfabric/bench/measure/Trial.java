package io.tagfabric.bench.measure;

import io.tagfabric.report.Measurement;
import io.tagfabric.report.WarmUp;
import org.HdrHistogram.Histogram;

/**
 * Measures a subject at one message length: warms it up until it gets no faster, then runs it.
 *
 * @param kind what is measured
 * @param window messages under way; of a stream
 * @param budget time of warm-up and run
 * @param iterations of one run, 0 for as many as fill the budget
 * @param progress what drives the domain, for the report
 */
public record Trial(TransferKind kind, int window, Budget budget, int iterations, String progress) {
  private static final long WARM_UP_ROUND_NS = 20_000_000L;
  private static final int LONGEST_ROUND = 1 << 20;
  private static final int MOST_ITERATIONS = 100_000_000;
  private static final int LEAST_ITERATIONS = 10;
  private static final long HIGHEST_SPAN_NS = 3_600_000_000_000L;
  private static final int DIGITS = 3;

  private static Histogram histogram() {
    return new Histogram(HIGHEST_SPAN_NS, DIGITS);
  }

  /** Warms a subject up and returns the iterations of its runs. */
  public int warmUp(Subject subject, int bytes) {
    Histogram ignored = histogram();
    int round = wholeWindows(1);
    long done = 0;
    long spentNs = 0;
    WarmUp warmUp = new WarmUp(budget.warmUpMinNs(), budget.warmUpMaxNs());
    do {
      long roundNs = subject.run(bytes, round, ignored);
      done += round;
      spentNs += roundNs;
      if (roundNs < WARM_UP_ROUND_NS && round < LONGEST_ROUND) {
        // Code that was cold when a round was long enough gets faster by orders of magnitude, and
        // most of the time would go between the rounds.
        round *= 2;
        warmUp =
            new WarmUp(
                Math.max(0, budget.warmUpMinNs() - spentNs),
                Math.max(0, budget.warmUpMaxNs() - spentNs));
      } else {
        warmUp.add(roundNs);
      }
    } while (warmUp.bestNs() == 0
        || !warmUp.isOver()
        || (done < budget.warmUpIterations() && !warmUp.isTooLong()));
    if (iterations > 0) {
      return wholeWindows(iterations);
    }
    double iterationNs = Math.max(1.0, (double) warmUp.bestNs() / round);
    double wanted = Math.max(LEAST_ITERATIONS, budget.runNs() / iterationNs);
    return wholeWindows((int) Math.min(MOST_ITERATIONS, wanted));
  }

  /** A stream is acknowledged by half windows; a part of one would never be. */
  private int wholeWindows(int wanted) {
    if (!kind.isStream()) {
      return wanted;
    }
    int half = TransferKind.half(window);
    return Math.max(1, (wanted + half - 1) / half) * half;
  }

  /** Runs a warm subject once. */
  public Measurement run(Subject subject, int bytes, int iterationsOfRun) {
    Histogram spansNs = histogram();
    long elapsedNs = subject.run(bytes, iterationsOfRun, spansNs);
    double usPerSpanNs = 1e-3 / kind.transfersPerSpan(window);
    return new Measurement(
        bytes,
        iterationsOfRun,
        kind.transfersPerIteration(),
        elapsedNs,
        spansNs.getValueAtPercentile(50) * usPerSpanNs,
        spansNs.getValueAtPercentile(99) * usPerSpanNs,
        subject.provider(),
        progress);
  }
}
