package io.tagfabric.bench.collective;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.bench.compare.ContenderException;
import io.tagfabric.bench.compare.ContenderOutput;
import io.tagfabric.bench.ours.RankJob;
import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.cluster.job.Profile;
import io.tagfabric.report.Comparison;
import java.io.ByteArrayOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** Runs of ours and of a peer in turn, with teams of one size. */
final class Versus {
  private final CollectiveOptions options;
  private final int ranks;
  private final CollectivePeer peer;
  private final PrintWriter progress;
  private final List<List<CollectiveReport.Row>> ours = new ArrayList<>();
  private final List<List<CallTimes>> theirs = new ArrayList<>();

  /**
   * @param progress is told of each run
   */
  Versus(CollectiveOptions options, int ranks, CollectivePeer peer, PrintWriter progress) {
    this.options = options;
    this.ranks = ranks;
    this.peer = peer;
    this.progress = progress;
  }

  /** Plays all runs, then reports their medians. */
  void run(CollectiveReport report) throws ContenderException {
    for (int run = 0; run < options.runs(); run++) {
      ours.add(complete(ours()));
      theirs.add(complete(peer.run(options.collective(), ranks, options.bytes())));
      tell(run);
    }
    for (int cell = 0; cell < options.bytes().size(); cell++) {
      report(report, cell);
    }
  }

  private void tell(int run) {
    StringBuilder line = new StringBuilder("collective: ");
    line.append(ranks).append(" ranks, run ").append(run + 1).append(" of ").append(options.runs());
    for (int cell = 0; cell < options.bytes().size(); cell++) {
      line.append(
          String.format(
              Locale.ROOT,
              ", %d B: %.2f us to %.2f us of %s",
              options.bytes().get(cell),
              ours.get(run).get(cell).times().p50(),
              theirs.get(run).get(cell).p50(),
              peer.name()));
    }
    progress.println(line);
    progress.flush();
  }

  private <T> List<T> complete(List<T> cells) throws ContenderException {
    if (cells.size() != options.bytes().size()) {
      throw new ContenderException(
          "a run has brought " + cells.size() + " of " + options.bytes().size() + " results");
    }
    return cells;
  }

  private List<CollectiveReport.Row> ours() throws ContenderException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code =
        RankJob.run(
            ranks,
            CollectiveRank.class.getName(),
            options.argumentsForJson(ranks),
            Profile.TCP,
            Optional.of(CollectivePeer.patience(options.bytes())),
            out,
            err);
    if (code != ExitCode.OK) {
      throw new ContenderException(
          ContenderOutput.reason(err.toByteArray(), "a rank " + ExitCode.describe(code)));
    }
    return out.toString(StandardCharsets.UTF_8)
        .lines()
        .flatMap(line -> row(line).stream())
        .toList();
  }

  private static Optional<CollectiveReport.Row> row(String line) {
    try {
      Config row = ConfigFactory.parseString(line);
      return Optional.of(
          new CollectiveReport.Row(
              row.getString("op"),
              row.getInt("ranks"),
              row.getString("algorithm"),
              row.getString("tier"),
              new CallTimes(
                  row.getInt("bytes"),
                  row.getDouble("p50_us"),
                  row.getDouble("p99_us"),
                  row.getDouble("mean_us")),
              row.getDouble("allocated")));
    } catch (ConfigException anotherLine) {
      return Optional.empty();
    }
  }

  private void report(CollectiveReport report, int cell) {
    List<CollectiveReport.Row> rows = ours.stream().map(run -> run.get(cell)).toList();
    CollectiveReport.Row last = rows.get(rows.size() - 1);
    CallTimes times =
        new CallTimes(
            last.times().bytes(),
            median(rows, CallTimes::p50),
            median(rows, CallTimes::p99),
            median(rows, CallTimes::mean));
    report.add(
        new CollectiveReport.Row(
            last.op(), ranks, last.algorithm(), last.tier(), times, last.allocated()),
        Comparison.of(
            peer.name(),
            "us",
            rows.stream().mapToDouble(row -> row.times().p50()).toArray(),
            theirs.stream().mapToDouble(run -> run.get(cell).p50()).toArray()));
  }

  private static double median(
      List<CollectiveReport.Row> rows, ToDoubleFunction<CallTimes> figure) {
    double[] values = rows.stream().mapToDouble(row -> figure.applyAsDouble(row.times())).toArray();
    Arrays.sort(values);
    return values[values.length / 2];
  }
}
