package io.tagfabric.bench.collective;

import io.tagfabric.collective.run.CollectiveCompletion;
import io.tagfabric.report.Comparison;
import io.tagfabric.report.Rows;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/** Prints a line for each team size and number of bytes. */
final class CollectiveReport {
  private static final String LINE = "%-16s %6s %9s  %-28s %-12s %10.2f %10.2f %10.2f %10.0f";

  /** What is known of one team size and number of bytes. */
  record Row(
      String op, int ranks, String algorithm, String tier, CallTimes times, double allocated) {}

  private final Rows rows;

  CollectiveReport(CollectiveOptions options, PrintWriter out) {
    String[] ours = {
      "op", "ranks", "bytes", "algorithm", "tier", "p50_us", "p99_us", "mean_us", "allocated"
    };
    String[] theirs = {
      "peer", "theirs_p50_us=theirs_p50", "ratio_median=ratio", "ratio_min=min", "ratio_max=max"
    };
    boolean alone = options.peer().isEmpty();
    rows =
        new Rows(
            out,
            options.isJson(),
            LINE + (alone ? "" : "  %-8s %10.2f %7.2f %7.2f %7.2f"),
            Stream.concat(Stream.of(ours), alone ? Stream.empty() : Stream.of(theirs))
                .toArray(String[]::new));
    if (!options.hasHeader()) {
      rows.omitHeadings();
    }
  }

  void add(int ranks, int bytes, Calls calls, Histogram timesNs) {
    CollectiveCompletion how = calls.last();
    CallTimes times =
        new CallTimes(
            bytes,
            timesNs.getValueAtPercentile(50) / 1e3,
            timesNs.getValueAtPercentile(99) / 1e3,
            timesNs.getMean() / 1e3);
    String op = how.collective().key();
    add(new Row(op, ranks, how.algorithm(), how.tier(), times, calls.allocated()), null);
  }

  /**
   * Prints a line.
   *
   * @param comparison of the medians with a peer's; null if there is none
   */
  void add(Row row, Comparison comparison) {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("op", row.op());
    values.put("ranks", row.ranks());
    values.put("bytes", row.times().bytes());
    values.put("algorithm", row.algorithm());
    values.put("tier", row.tier());
    values.put("p50_us", row.times().p50());
    values.put("p99_us", row.times().p99());
    values.put("mean_us", row.times().mean());
    values.put("allocated", row.allocated());
    if (comparison != null) {
      values.put("peer", comparison.peer());
      values.put("theirs_p50_us", comparison.theirs());
      values.put("ratio_min", comparison.ratioMin());
      values.put("ratio_median", comparison.ratioMedian());
      values.put("ratio_max", comparison.ratioMax());
    }
    rows.add(values);
  }
}
