package io.tagfabric.trials.soak;

import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.report.Rows;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Tells how a soak goes and how it ended. */
final class SoakReport {
  private static final long INTERVAL_NS = TimeUnit.SECONDS.toNanos(2);

  private final SoakOptions options;
  private final PrintWriter out;
  private final PrintWriter err;
  private final long beginNs = System.nanoTime();
  private long nextNs = beginNs + INTERVAL_NS;

  /**
   * @param err where progress is told
   */
  SoakReport(SoakOptions options, PrintWriter out, PrintWriter err) {
    this.options = options;
    this.out = out;
    this.err = err;
  }

  /** Tells progress if it is time to. */
  void progress(long received, long of, long wrong) {
    long nowNs = System.nanoTime();
    if (nowNs - nextNs >= 0) {
      nextNs = nowNs + INTERVAL_NS;
      err.printf(
          Locale.ROOT,
          "soak: %,d of %,d received (%d %%), %d wrong, %.1f s%n",
          received,
          of,
          100 * received / Math.max(1, of),
          wrong,
          seconds());
      err.flush();
    }
  }

  private double seconds() {
    return (System.nanoTime() - beginNs) / 1e9;
  }

  /** Prints the last row; the exit code of the command. */
  int end(Tally tally) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("sent", tally.sent());
    row.put("received", tally.received());
    row.put("lost", tally.lost());
    row.put("duplicated", tally.duplicated());
    row.put("out_of_order", tally.outOfOrder());
    row.put("corrupted", tally.corrupted());
    row.put("seconds", seconds());
    row.put("peak_unexpected_bytes", tally.peakUnexpectedBytes());
    row.put("packets_replayed", tally.packetsReplayed());
    String[] shown = row.keySet().toArray(String[]::new);
    row.put("provider", options.provider);
    row.put("cuts", tally.cuts());
    row.put("faults", options.faults);
    row.put("seed", options.seed);
    new Rows(out, options.json, "%-12d%-12d%-8d%-12d%-14d%-11d%-10.1f%-22d%d", shown).add(row);
    if (tally.isClean() && tally.sent() == tally.received()) {
      if (options.cuts > 0) {
        err.println("soak: nothing went wrong, cuts=" + tally.cuts());
        err.flush();
      }
      return ExitCode.OK;
    }
    err.println("soak: messages went wrong, repeat with --seed " + options.seed);
    err.flush();
    return ExitCode.FAILED;
  }
}
