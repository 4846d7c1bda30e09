package io.tagfabric.bench.measure;

import org.HdrHistogram.Histogram;

/**
 * Spans of time that are only stored while the clock runs, as the peers in C do: what it takes to
 * sort one into a histogram is not measured as part of the next.
 */
final class SpanNotes {
  private static final int MOST = 1 << 20;

  private final long[] spansNs;
  private int count;

  /**
   * Room for so many, or for as many as fit.
   *
   * @param most at least 1
   */
  SpanNotes(int most) {
    spansNs = new long[Math.min(most, MOST)];
  }

  /** Whether they have to be moved before one more is added. */
  boolean isFull() {
    return count == spansNs.length;
  }

  void add(long spanNs) {
    spansNs[count++] = spanNs;
  }

  /** Sorts all into a histogram, and has none any more. */
  void moveTo(Histogram histogram) {
    for (int i = 0; i < count; i++) {
      histogram.recordValue(spansNs[i]);
    }
    count = 0;
  }
}
