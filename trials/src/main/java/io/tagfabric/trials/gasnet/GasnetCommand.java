package io.tagfabric.trials.gasnet;

import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.report.JsonLine;
import io.tagfabric.report.Rows;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code tagfabric gasnet-tests}: checks an installation by cases of GASNet's tests. */
@Command(
    name = "gasnet-tests",
    description = "Check an installation by cases of GASNet's tests.",
    footer = {
      "",
      "Each case runs as a job of its own. Results are Pass, or Fail with what was",
      "wrong and on which rank; a case that does not end fails at its limit. The",
      "settings of the environment count. The exit code is 0 if none fails, else 1.",
      "",
      "Example: tagfabric gasnet-tests --cases progthr --json"
    })
public final class GasnetCommand implements Callable<Integer> {
  private static final int MOST_RANKS = 32;

  @Option(names = "--list", description = "Show the cases, and run none.")
  private boolean list;

  @Option(
      names = "--cases",
      paramLabel = "LIST",
      split = ",",
      hideParamSyntax = true,
      description = "Only these, of those that --list shows.")
  private List<String> names = List.of();

  @Option(
      names = {"-n", "--ranks"},
      paramLabel = "LIST",
      split = ",",
      hideParamSyntax = true,
      defaultValue = "2",
      description =
          "Ranks of a job, or as many as a case needs; a case runs with each of a list such as 1,2,4"
              + " (default: ${DEFAULT-VALUE}).")
  private List<Integer> ranks;

  @Option(
      names = "--limit",
      paramLabel = "SECONDS",
      defaultValue = "30",
      description = "A wait of a rank that takes longer has failed (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Option(names = "--json", description = "Print a JSON object a line, a summary at last.")
  private boolean json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    for (int each : ranks) {
      require(each >= 1 && each <= MOST_RANKS, "--ranks=" + each + " is not within 1 to 32");
    }
    require(limit >= 1 && limit <= 3600, "--limit=" + limit + " is not within 1 to 3600 seconds");
    for (String name : names) {
      require(
          GasnetCases.find(name).isPresent(),
          "--cases: no case " + name + ", there are " + String.join(", ", GasnetCases.names()));
    }
    List<GasnetCase> chosen =
        GasnetCases.ALL.stream()
            .filter(each -> names.isEmpty() || names.contains(each.name()))
            .toList();
    if (list) {
      list(chosen);
      return ExitCode.OK;
    }
    return run(chosen);
  }

  private int run(List<GasnetCase> chosen) {
    Rows rows =
        new Rows(
            out(),
            json,
            "%-12s  %5s  %-6s  %6s  %s",
            "name",
            "ranks",
            "result",
            "time_s",
            "reason");
    int passed = 0;
    int failed = 0;
    for (GasnetCase each : chosen) {
      for (int size : sizes(each)) {
        GasnetJob job = new GasnetJob(each, size, Duration.ofSeconds(limit));
        long beginNs = System.nanoTime();
        String reason = job.run();
        if (job.isInterrupted()) {
          return ExitCode.INTERRUPTED;
        }
        if (reason.isEmpty()) {
          passed++;
        } else {
          failed++;
        }
        rows.add(row(each, size, reason, (System.nanoTime() - beginNs) / 1e9));
      }
    }
    out()
        .println(
            json
                ? new JsonLine().put("pass", passed).put("fail", failed).toString()
                : "Pass " + passed + ", Fail " + failed);
    out().flush();
    return failed == 0 ? ExitCode.OK : ExitCode.FAILED;
  }

  /** Ranks that a case runs with, each number once. */
  private List<Integer> sizes(GasnetCase which) {
    return ranks.stream().map(each -> Math.max(each, which.leastRanks())).distinct().toList();
  }

  private static Map<String, Object> row(GasnetCase which, int size, String reason, double timeS) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("name", which.name());
    row.put("gasnet", which.like());
    row.put("ranks", size);
    row.put("result", reason.isEmpty() ? "Pass" : "Fail");
    row.put("time_s", timeS);
    row.put("reason", reason);
    return row;
  }

  private void list(List<GasnetCase> chosen) {
    Rows rows =
        new Rows(out(), json, "%-12s  %-14s  %5s  %s", "name", "gasnet", "ranks=least", "what");
    for (GasnetCase each : chosen) {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("name", each.name());
      row.put("gasnet", each.like());
      row.put("ranks", each.leastRanks());
      row.put("what", each.what());
      rows.add(row);
    }
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }

  private void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new ParameterException(spec.commandLine(), otherwise);
    }
  }
}
