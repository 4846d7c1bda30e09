package io.tagfabric.bench.collective;

import io.tagfabric.cluster.report.JsonLine;
import io.tagfabric.collective.run.CollectiveCompletion;
import java.io.PrintWriter;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/** Prints a line for each team size and number of bytes. */
final class CollectiveReport {
  private static final String LINE = "%-16s %6s %9s  %-18s %-9s %10s %10s %10s";

  private final CollectiveOptions options;
  private final PrintWriter out;
  private boolean begun;

  CollectiveReport(CollectiveOptions options, PrintWriter out) {
    this.options = options;
    this.out = out;
    this.begun = options.isJson() || !options.hasHeader();
  }

  void add(int ranks, int bytes, CollectiveCompletion how, Histogram timesNs) {
    double p50 = timesNs.getValueAtPercentile(50) / 1e3;
    double p99 = timesNs.getValueAtPercentile(99) / 1e3;
    double mean = timesNs.getMean() / 1e3;
    if (options.isJson()) {
      print(
          new JsonLine()
              .put("op", how.collective().key())
              .put("ranks", ranks)
              .put("bytes", bytes)
              .put("algorithm", how.algorithm())
              .put("tier", how.tier())
              .put("p50_us", p50)
              .put("p99_us", p99)
              .put("mean_us", mean)
              .toString());
      return;
    }
    if (!begun) {
      begun = true;
      print(
          String.format(
              LINE, "op", "ranks", "bytes", "algorithm", "tier", "p50_us", "p99_us", "mean_us"));
    }
    print(
        String.format(
            LINE,
            how.collective().key(),
            ranks,
            bytes,
            how.algorithm(),
            how.tier(),
            decimal(p50),
            decimal(p99),
            decimal(mean)));
  }

  private static String decimal(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }

  private void print(String line) {
    out.print(line + "\n");
    out.flush();
  }
}
