package io.tagfabric.bench.collective;

import io.tagfabric.collective.run.CollectiveCompletion;
import io.tagfabric.report.Comparison;
import io.tagfabric.report.JsonLine;
import java.io.PrintWriter;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/** Prints a line for each team size and number of bytes. */
final class CollectiveReport {
  private static final String LINE = "%-16s %6s %9s  %-28s %-12s %10s %10s %10s";
  private static final String VERSUS = "  %-8s %10s %7s";

  /** What is known of one team size and number of bytes. */
  record Row(String op, int ranks, String algorithm, String tier, CallTimes times) {}

  private final CollectiveOptions options;
  private final PrintWriter out;
  private boolean begun;

  CollectiveReport(CollectiveOptions options, PrintWriter out) {
    this.options = options;
    this.out = out;
    this.begun = options.isJson() || !options.hasHeader();
  }

  void add(int ranks, int bytes, CollectiveCompletion how, Histogram timesNs) {
    add(
        new Row(
            how.collective().key(),
            ranks,
            how.algorithm(),
            how.tier(),
            new CallTimes(
                bytes,
                timesNs.getValueAtPercentile(50) / 1e3,
                timesNs.getValueAtPercentile(99) / 1e3,
                timesNs.getMean() / 1e3)),
        null);
  }

  /**
   * Prints a line.
   *
   * @param comparison of the medians with a peer's; null if there is none
   */
  void add(Row row, Comparison comparison) {
    CallTimes times = row.times();
    if (options.isJson()) {
      JsonLine line =
          new JsonLine()
              .put("op", row.op())
              .put("ranks", row.ranks())
              .put("bytes", times.bytes())
              .put("algorithm", row.algorithm())
              .put("tier", row.tier())
              .put("p50_us", times.p50())
              .put("p99_us", times.p99())
              .put("mean_us", times.mean());
      if (comparison != null) {
        line.put("peer", comparison.peer())
            .put("theirs_p50_us", comparison.theirs())
            .put("ratio_min", comparison.ratioMin())
            .put("ratio_median", comparison.ratioMedian())
            .put("ratio_max", comparison.ratioMax());
      }
      print(line.toString());
      return;
    }
    if (!begun) {
      begun = true;
      print(
          String.format(
                  LINE, "op", "ranks", "bytes", "algorithm", "tier", "p50_us", "p99_us", "mean_us")
              + (comparison == null ? "" : String.format(VERSUS, "peer", "theirs_p50", "ratio")));
    }
    print(
        String.format(
                LINE,
                row.op(),
                row.ranks(),
                times.bytes(),
                row.algorithm(),
                row.tier(),
                decimal(times.p50()),
                decimal(times.p99()),
                decimal(times.mean()))
            + (comparison == null
                ? ""
                : String.format(
                    VERSUS,
                    comparison.peer(),
                    decimal(comparison.theirs()),
                    decimal(comparison.ratioMedian()))));
  }

  private static String decimal(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }

  private void print(String line) {
    out.print(line + "\n");
    out.flush();
  }
}
