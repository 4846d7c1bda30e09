package io.tagfabric.bench.compare;

import io.tagfabric.bench.measure.Cell;
import io.tagfabric.bench.measure.Metric;
import io.tagfabric.bench.measure.StolenTime;
import io.tagfabric.bench.measure.Workload;
import io.tagfabric.bench.ours.MatchingOptions;
import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.report.Rows;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** {@code tagfabric bench matching --vs openmpi}: runs of both take turns. */
public final class MatchingComparison {
  private static final int WARM_UP_MS = 300;
  private static final int RUN_MS = 100;
  private static final int LIMIT_MS = 10_000;
  private static final String KIND = "matching-";

  private final MatchingOptions options;

  public MatchingComparison(MatchingOptions options) {
    this.options = options;
  }

  /** Runs the benchmark of a command and returns its exit code. */
  public int start(CommandLine command) {
    if (options.complaint() != null) {
      throw new ParameterException(command, options.complaint());
    }
    ProgramFinder finder = new ProgramFinder(System.getenv(), Path.of("/"));
    Contender peer = new MpiContender(new OpenMpi(finder), MpiLibrary.SHARED_MEMORY);
    Optional<String> missing = peer.missingBecause();
    if (missing.isPresent()) {
      command.getErr().println("bench: " + missing.get());
      return ExitCode.FAILED;
    }
    String progress = options.progress().name().toLowerCase(Locale.ROOT);
    Contender ours =
        options.isLocal()
            ? new LocalContender(options.progress())
            : Contenders.ours(options.provider(), progress, true);
    List<Cell> cells = new ArrayList<>();
    for (Metric metric : List.of(Metric.MATCHING_POSTED, Metric.MATCHING_UNEXPECTED)) {
      options.depths().forEach(depth -> cells.add(new Cell(metric, depth, 0)));
    }
    Workload workload = new Workload(WARM_UP_MS, WARM_UP_MS, RUN_MS, LIMIT_MS, cells);
    PrintWriter err = command.getErr();
    Rounds rounds =
        new Rounds(
            new Group(List.of(ours), List.of(peer), Group.Reach.ONE_HOST),
            workload,
            StolenTime.ofMachine(),
            () -> Double.NaN,
            run -> {
              if (!run.trouble().isEmpty()) {
                err.println("bench: " + run.contender().name() + " failed: " + run.trouble());
              }
            });
    rounds.play(options.runs());
    Rows rows = rows(command.getOut());
    rounds.results().forEach(result -> rows.add(row(result, progress)));
    return ExitCode.OK;
  }

  private Rows rows(PrintWriter out) {
    return new Rows(
        out,
        options.isJson(),
        "%8s  %-12s  %12s  %-12s  %12s  %8s  %8s  %8s",
        "depth",
        "kind",
        "ns_per_message=ns/message",
        "peer",
        "theirs",
        "ratio_median=ratio",
        "ratio_min=min",
        "ratio_max=max");
  }

  private static Map<String, Object> row(Result result, String progress) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("test", "matching");
    row.put("depth", result.cell().size());
    row.put("kind", result.cell().metric().toString().substring(KIND.length()));
    CompareReport.putValues(row, "ns_per_message", result);
    row.put("peer", result.peer().name());
    row.put("runs", result.runs());
    result.stolenPct().ifPresent(pct -> row.put("stolen_pct", pct));
    row.put("provider", result.ours().name());
    row.put("progress", progress);
    return row;
  }
}
