package io.tagfabric.bench.measure;

import java.util.Locale;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/**
 * Measures matching of one kind at growing depths: passes repeat until the budget is used.
 *
 * <p>Where matching walks a list a pass takes time in the square of the depth, so what a depth will
 * take is foretold from the depth before, and one that would exceed the limit is left out. The
 * number of operations of a pass may be another than the depth.
 */
public final class MatchTrial {
  private static final int MOST_PASSES = 1 << 20;
  private static final int DIGITS = 3;

  private final MatchSubject subject;
  private final MatchKind kind;
  private final Budget budget;
  private final long limitNs;
  private int lastDepth;
  private double lastPassNs;
  private long lastOperations;

  /**
   * @param limitNs longest pass that is tried
   */
  public MatchTrial(MatchSubject subject, MatchKind kind, Budget budget, long limitNs) {
    this.subject = subject;
    this.kind = kind;
    this.budget = budget;
    this.limitNs = limitNs;
  }

  /** Why a depth is left out, empty if it can be measured. */
  public Optional<String> tooLong(int depth) {
    double foretoldNs = foretoldNs(depth);
    if (foretoldNs <= limitNs) {
      return Optional.empty();
    }
    return Optional.of(
        String.format(
            Locale.ROOT,
            "depth=%d would take about %.0f s a pass > %.0f s",
            depth,
            foretoldNs / 1e9,
            limitNs / 1e9));
  }

  private double foretoldNs(int depth) {
    if (lastDepth == 0) {
      return 0;
    }
    double growth = (double) depth / lastDepth;
    return lastPassNs * growth * kind.operations(depth) / kind.operations(lastDepth);
  }

  /**
   * Passes without a result; none if one takes so long that those before it were warm-up enough.
   */
  public void warmUp(int depth) {
    if (depth > lastDepth && foretoldNs(depth) > budget.warmUpMinNs()) {
      return;
    }
    long doneNs = 0;
    for (int pass = 0; pass < MOST_PASSES && doneNs < budget.warmUpMinNs(); pass++) {
      doneNs += subject.run(kind, depth);
    }
  }

  /** One run; returns nanoseconds an operation in the pass in the middle. */
  public double run(int depth) {
    Histogram passesNs = new Histogram(DIGITS);
    long totalNs = 0;
    lastOperations = 0;
    for (int pass = 0; pass < MOST_PASSES && totalNs < budget.runNs(); pass++) {
      long passNs = subject.run(kind, depth);
      passesNs.recordValue(passNs);
      totalNs += passNs;
      lastOperations += kind.operations(depth);
    }
    lastDepth = depth;
    lastPassNs = passesNs.getMinValue();
    return (double) passesNs.getValueAtPercentile(50) / kind.operations(depth);
  }

  /** Operations of the last run, all its passes together. */
  public long operations() {
    return lastOperations;
  }
}
