package io.tagfabric.trials.fuzz;

import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.report.JsonLine;
import io.tagfabric.report.Table;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Tells how a fuzz goes and how it ended. */
final class FuzzReport {
  private static final long INTERVAL_NS = TimeUnit.SECONDS.toNanos(2);

  /** What came of one provider. */
  record Result(String provider, FuzzCounts counts, Violation violation, double seconds) {}

  private final FuzzOptions options;
  private final PrintWriter out;
  private final PrintWriter err;
  private final List<Result> results = new ArrayList<>();
  private long nextNs = System.nanoTime() + INTERVAL_NS;

  /**
   * @param err where progress is told
   */
  FuzzReport(FuzzOptions options, PrintWriter out, PrintWriter err) {
    this.options = options;
    this.out = out;
    this.err = err;
  }

  /** Tells progress if it is time to. */
  void progress(String provider, FuzzCounts counts) {
    long nowNs = System.nanoTime();
    if (nowNs - nextNs >= 0) {
      nextNs = nowNs + INTERVAL_NS;
      err.printf(
          Locale.ROOT,
          "fuzz: %s: %,d sent, %.0f %% reached a service, %,d attackers, %,d round trips%n",
          provider,
          counts.sent,
          counts.reachedPercent(),
          counts.attackers,
          counts.friendRoundTrips);
      err.flush();
    }
  }

  void add(Result result) {
    results.add(result);
  }

  /** Prints the rows; the exit code of the command. */
  int end() {
    FuzzCounts sum = new FuzzCounts();
    double seconds = 0;
    Result bad = null;
    for (Result result : results) {
      sum = sum.plus(result.counts());
      seconds += result.seconds();
      bad = result.violation() == null ? bad : result;
    }
    if (options.json) {
      out.println(json(sum, seconds, bad));
    } else {
      table();
    }
    out.flush();
    if (bad == null) {
      return ExitCode.OK;
    }
    err.println(
        "fuzz: provider="
            + bad.provider()
            + " packet="
            + bad.counts().sent
            + ": "
            + bad.violation().getMessage()
            + ", repeat with --provider "
            + bad.provider()
            + (options.isSecure() ? " --profile tls" : "")
            + " --seed "
            + options.seed);
    err.flush();
    return ExitCode.FAILED;
  }

  private JsonLine json(FuzzCounts sum, double seconds, Result bad) {
    JsonLine line =
        new JsonLine().put("providers", results.stream().map(Result::provider).toList());
    counts(line, "", sum);
    results.forEach(result -> counts(line, result.provider() + "_", result.counts()));
    line.put("seconds", seconds).put("seed", options.seed);
    line.put("violations", bad == null ? 0 : 1);
    if (bad != null) {
      line.put("violation", bad.violation().getMessage())
          .put("promise", bad.violation().promise().name().toLowerCase(Locale.ROOT))
          .put("provider", bad.provider())
          .put("packet", bad.counts().sent);
    }
    return line;
  }

  private static void counts(JsonLine line, String prefix, FuzzCounts counts) {
    line.put(prefix + "sent", counts.sent)
        .put(prefix + "reached", counts.reached)
        .put(prefix + "reached_percent", counts.reachedPercent())
        .put(prefix + "strangers", counts.strangers)
        .put(prefix + "malformed", counts.malformed)
        .put(prefix + "broken_rules", counts.brokenRules)
        .put(prefix + "attackers", counts.attackers)
        .put(prefix + "lane_writes", counts.laneWrites)
        .put(prefix + "lanes_cut_off", counts.lanesCutOff)
        .put(prefix + "dials", counts.dials)
        .put(prefix + "dials_cut_off", counts.dialsCutOff)
        .put(prefix + "records", counts.records)
        .put(prefix + "operations", counts.operations)
        .put(prefix + "friend_round_trips", counts.friendRoundTrips);
  }

  private void table() {
    Table table =
        new Table(
            out,
            "%-10s%-10d%-10d%-10.0f%-11d%-10d%-11d%-9d %-7d%-8d%d",
            "provider",
            "sent",
            "reached",
            "percent",
            "strangers",
            "malformed",
            "broken",
            "attackers",
            "lanes",
            "friend",
            "violations");
    for (Result result : results) {
      FuzzCounts counts = result.counts();
      table.row(
          result.provider(),
          counts.sent,
          counts.reached,
          counts.reachedPercent(),
          counts.strangers,
          counts.malformed,
          counts.brokenRules,
          counts.attackers,
          counts.lanesCutOff,
          counts.friendRoundTrips,
          result.violation() == null ? 0 : 1);
    }
  }
}
