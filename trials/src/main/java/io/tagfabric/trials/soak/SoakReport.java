package io.tagfabric.trials.soak;

import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.report.JsonLine;
import java.io.PrintWriter;
import java.util.Locale;
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
    double seconds = seconds();
    if (options.json) {
      out.println(
          new JsonLine()
              .put("sent", tally.sent())
              .put("received", tally.received())
              .put("lost", tally.lost())
              .put("duplicated", tally.duplicated())
              .put("out_of_order", tally.outOfOrder())
              .put("corrupted", tally.corrupted())
              .put("seconds", seconds)
              .put("peak_unexpected_bytes", tally.peakUnexpectedBytes())
              .put("packets_replayed", tally.packetsReplayed())
              .put("provider", options.provider)
              .put("faults", options.faults)
              .put("seed", options.seed));
    } else {
      out.printf(
          "%-12s%-12s%-8s%-12s%-14s%-11s%-10s%-22s%s%n",
          "sent",
          "received",
          "lost",
          "duplicated",
          "out_of_order",
          "corrupted",
          "seconds",
          "peak_unexpected_bytes",
          "packets_replayed");
      out.printf(
          Locale.ROOT,
          "%-12d%-12d%-8d%-12d%-14d%-11d%-10.1f%-22d%d%n",
          tally.sent(),
          tally.received(),
          tally.lost(),
          tally.duplicated(),
          tally.outOfOrder(),
          tally.corrupted(),
          seconds,
          tally.peakUnexpectedBytes(),
          tally.packetsReplayed());
    }
    out.flush();
    if (tally.isClean() && tally.sent() == tally.received()) {
      return ExitCode.OK;
    }
    err.println("soak: messages went wrong, repeat with --seed " + options.seed);
    err.flush();
    return ExitCode.FAILED;
  }
}
