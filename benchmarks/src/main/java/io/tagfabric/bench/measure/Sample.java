package io.tagfabric.bench.measure;

import java.util.Locale;
import java.util.Optional;

/**
 * What a run found out about one cell; a line of text between a peer's program and the comparison.
 *
 * @param metric what was measured
 * @param size bytes or depth
 * @param value in the test's unit; not a number if the cell was left out
 * @param p99Us 99th percentile in microseconds, 0 where there is none
 * @param meanUs mean in microseconds beside a value that is the median, 0 where there is none
 * @param leftOutBecause a sentence, empty if it was measured
 */
public record Sample(
    Metric metric, int size, double value, double p99Us, double meanUs, String leftOutBecause) {
  private static final String MEASURED = "sample";
  private static final String LEFT_OUT = "left-out";

  /** One without a mean. */
  public Sample(Metric metric, int size, double value, double p99Us, String leftOutBecause) {
    this(metric, size, value, p99Us, 0, leftOutBecause);
  }

  /** A cell that could not be measured. */
  public static Sample leftOut(Cell cell, String because) {
    return new Sample(cell.metric(), cell.size(), Double.NaN, 0, because);
  }

  /** Whether there is a figure. */
  public boolean isMeasured() {
    return leftOutBecause.isEmpty();
  }

  /** Whether the sample is of a cell. */
  public boolean isOf(Cell cell) {
    return metric == cell.metric() && size == cell.size();
  }

  /** The line that a program prints. */
  public String toLine() {
    if (!isMeasured()) {
      return LEFT_OUT + " " + metric + " " + size + " " + leftOutBecause;
    }
    String line =
        String.format(Locale.ROOT, "%s %s %d %.6g %.6g", MEASURED, metric, size, value, p99Us);
    return meanUs == 0 ? line : line + String.format(Locale.ROOT, " %.6g", meanUs);
  }

  /** Reads a line; empty if it is no sample. */
  public static Optional<Sample> parse(String line) {
    String[] words = line.strip().split(" ", 4);
    if (words.length < 4) {
      return Optional.empty();
    }
    return Metric.find(words[1]).flatMap(metric -> parse(words, metric));
  }

  private static Optional<Sample> parse(String[] words, Metric metric) {
    try {
      int size = Integer.parseInt(words[2]);
      if (words[0].equals(LEFT_OUT)) {
        return Optional.of(new Sample(metric, size, Double.NaN, 0, words[3]));
      }
      String[] figures = words[3].split(" ", -1);
      if (!words[0].equals(MEASURED) || (figures.length != 2 && figures.length != 3)) {
        return Optional.empty();
      }
      double value = Double.parseDouble(figures[0]);
      double mean = figures.length == 3 ? Double.parseDouble(figures[2]) : 0;
      return Optional.of(new Sample(metric, size, value, Double.parseDouble(figures[1]), mean, ""));
    } catch (NumberFormatException noSample) {
      return Optional.empty();
    }
  }
}
