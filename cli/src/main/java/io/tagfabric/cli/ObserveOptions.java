package io.tagfabric.cli;

import io.tagfabric.fabric.FabricSettings;
import io.tagfabric.launch.output.StandardStream;
import io.tagfabric.watch.WatchServer;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ToIntFunction;
import picocli.CommandLine.Option;

/** What a person wants to see of a job beside its output. */
final class ObserveOptions {
  /** In a file's name, what stands for the number of a rank. */
  static final String RANK = "%";

  @Option(
      names = "--trace",
      description =
          "Record what happens on the progress loops; print the begin of it when the job has ended,"
              + " and write all of it to --trace-file. On this host only.")
  private boolean trace;

  @Option(
      names = "--trace-file",
      paramLabel = "FILE",
      description =
          "The file of --trace, which it implies: for Perfetto, or as JSON of Chrome if its name"
              + " ends so (default: trace-JOB.pftrace, JOB is the number of this process).")
  private Path traceFile;

  @Option(
      names = "--trace-lines",
      paramLabel = "N",
      defaultValue = "60",
      description = "How many operations and messages --trace prints (default: ${DEFAULT-VALUE}).")
  private int traceLines;

  @Option(
      names = "--stats",
      paramLabel = "FILE",
      description =
          "Each rank writes when it ends what its domains have done, as lines of key=value; %% in"
              + " the name stands for its number.")
  private String stats;

  @Option(
      names = "--watch",
      description =
          "Serve a live page of the job on loopback, below a random path that is printed; its"
              + " buttons freeze ranks, let them step and change who makes progress. On this host"
              + " only.")
  private boolean watch;

  private boolean isTraced() {
    return trace || traceFile != null;
  }

  /**
   * Runs a job so that it can be seen.
   *
   * @param job gets variables for all ranks, and returns the exit code
   * @throws UsageException if something cannot be seen; nothing has begun then
   */
  int run(int ranks, boolean onHosts, boolean dryRun, ToIntFunction<Map<String, String>> job) {
    Map<String, String> variables = new HashMap<>();
    if (stats != null) {
      variables.put(FabricSettings.STATS_FILE.variable(), statsFile(ranks, onHosts));
    }
    if (dryRun) {
      return job.applyAsInt(variables);
    }
    if (stats == null || onHosts) {
      return observe(ranks, onHosts, job, variables);
    }
    StatsCheck check = new StatsCheck(variables.get(FabricSettings.STATS_FILE.variable()), ranks);
    return check.code(observe(ranks, false, job, variables), System.err);
  }

  private int observe(
      int ranks,
      boolean onHosts,
      ToIntFunction<Map<String, String>> job,
      Map<String, String> variables) {
    if (!isTraced() && !watch) {
      return job.applyAsInt(variables);
    }
    if (traceLines < 0) {
      throw new UsageException("--trace-lines=" + traceLines + " is negative");
    }
    if (onHosts) {
      throw new UsageException(
          (watch ? "--watch shows" : "--trace gathers")
              + " the ranks of this host only, leave out the hosts");
    }
    TraceRun traced = TraceRun.prepare(isTraced() ? file() : null, ranks, traceLines);
    variables.putAll(traced.variables());
    PrintStream out = new PrintStream(StandardStream.output(), true, StandardCharsets.UTF_8);
    return traced.run(
        () -> watch ? runWatched(traced, job, variables) : job.applyAsInt(variables), out);
  }

  private static int runWatched(
      TraceRun traced, ToIntFunction<Map<String, String>> job, Map<String, String> variables) {
    variables.put(FabricSettings.STEERED.variable(), "on");
    try (WatchServer server = WatchServer.start(traced.parts(), 0)) {
      System.err.println("tagfabric: watch the job at " + server.uri());
      return job.applyAsInt(variables);
    } catch (IOException e) {
      throw new UncheckedIOException("the page of --watch cannot be served", e);
    }
  }

  private Path file() {
    return traceFile != null
        ? traceFile
        : Path.of("trace-" + ProcessHandle.current().pid() + ".pftrace");
  }

  /** Absolute: ranks may have another working directory. */
  private String statsFile(int ranks, boolean onHosts) {
    if (ranks > 1 && !stats.contains(RANK)) {
      throw new UsageException(
          "--stats: "
              + stats
              + " is one file for "
              + ranks
              + " ranks, put % where their numbers go");
    }
    Path file = Path.of(stats).toAbsolutePath();
    Path directory = file.getParent();
    if (!onHosts && (directory == null || !Files.isWritable(directory))) {
      throw new UsageException("--stats: cannot write into " + directory);
    }
    return file.toString();
  }
}
