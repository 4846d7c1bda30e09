package io.tagfabric.bench.guard;

import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.cluster.settings.Spelling;
import io.tagfabric.report.Rows;
import io.tagfabric.report.Table;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code tagfabric bench guard}. */
@Command(
    name = "guard",
    description = "Whether this build is slower than another one, row by row.",
    footer = {
      "",
      "Both builds are measured by their own commands in turns, each time in new",
      "processes: this one beside itself first, then beside the other. A ratio is how",
      "many times as long this build took as the other of the same pair. A row is",
      "slower if the median of its ratios is above 1.03 and above the largest median",
      "beside itself, and 9 of 10 ratios are above 1; it must be so twice, the second",
      "time with twice the pairs. A row is measured until its verdict is certain, at",
      "most --pairs times. allocated and cpu are of a message: bytes of new",
      "objects, and microseconds of processor time, of the process that measures.",
      "",
      "Exit code: 0 no row is slower, 1 a row is slower or could not be measured, 2 the",
      "command was not understood, or DIR has no Tagfabric. Rows that the other build",
      "does not measure are left out.",
      "",
      "Rows: latency-local, latency-shm, latency-shm-auto, rate-shm, bandwidth-shm,",
      "bandwidth-fabric, latency-tcp, rate-tcp, bandwidth-tcp, latency-aeron,",
      "latency-artery, latency-artery-udp, rate-artery, rate-artery-udp, matching,",
      "rma, rma-fabric, am, ask, wake, wake-auto, and each of several below one name,",
      "such as latency-shm-1k.",
      "",
      "Example: tagfabric bench guard --against ../before",
      "         tagfabric bench guard --against ../before --only latency-shm-8,rma",
    })
public final class GuardCommand implements Callable<Integer> {
  private static final int MOST_PAIRS = 100;
  private static final int MOST_RUNS = 100;
  private static final Duration PATIENCE = Duration.ofMinutes(20);

  @Option(
      names = "--against",
      paramLabel = "DIR",
      required = true,
      description = "A checkout or an unpacked zip of Tagfabric, the other build.")
  private Path against;

  @Option(
      names = "--only",
      paramLabel = "LIST",
      split = ",",
      hideParamSyntax = true,
      description = "Rows to measure, such as latency-shm-8,rma (default: all).")
  private List<String> only = List.of();

  @Option(
      names = "--pairs",
      paramLabel = "N",
      defaultValue = "10",
      description = "Most pairs of measurements of a row (default: ${DEFAULT-VALUE}).")
  private int pairs;

  @Option(
      names = "--runs",
      paramLabel = "N",
      defaultValue = "3",
      description =
          "Runs within a measurement; the one in the middle counts (default: ${DEFAULT-VALUE}).")
  private int runs;

  @Option(names = "--json", description = "Print one JSON object a line.")
  private boolean json;

  @Spec private CommandSpec spec;

  private final Build ours;

  public GuardCommand() {
    this(null);
  }

  /**
   * @param ours the build that is judged; null for the one of this class
   */
  GuardCommand(Build ours) {
    this.ours = ours;
  }

  @Override
  public Integer call() {
    requireWithin("--pairs", pairs, MOST_PAIRS);
    requireWithin("--runs", runs, MOST_RUNS);
    List<GuardBench> benches = chosen();
    PrintWriter err = spec.commandLine().getErr();
    try (OneAtATime commands = new OneAtATime(PATIENCE)) {
      Build other = otherBuild();
      Build own = ours == null ? Build.own() : ours;
      requireRunning(commands, own, err);
      try {
        requireRunning(commands, other, err);
      } catch (BuildException failure) {
        throw new ParameterException(
            spec.commandLine(), "--against=" + against + " cannot be run: " + failure.getMessage());
      }
      Guard guard = new Guard(own, other, commands, pairs, runs, line -> say(err, line));
      return judge(guard, benches);
    } catch (BuildException failure) {
      say(err, failure.getMessage());
      return ExitCode.FAILED;
    } catch (InterruptedException interrupted) {
      return ExitCode.INTERRUPTED;
    }
  }

  private void requireWithin(String option, int value, int most) {
    if (value < 1 || value > most) {
      throw new ParameterException(
          spec.commandLine(), option + "=" + value + " is not within 1 to " + most);
    }
  }

  private static void say(PrintWriter err, String line) {
    err.println("guard: " + line);
    err.flush();
  }

  private Build otherBuild() {
    try {
      return Build.in(against);
    } catch (BuildException none) {
      throw new ParameterException(spec.commandLine(), none.getMessage());
    }
  }

  /** A checkout is built by its first command, which may take minutes. */
  private static void requireRunning(OneAtATime commands, Build build, PrintWriter err)
      throws BuildException, InterruptedException {
    OneAtATime.Ended ended = commands.run(List.of(build.command().toString(), "--version"));
    if (ended.code() != ExitCode.OK) {
      throw new BuildException(ExitCode.describe(ended.code()) + ": " + Guard.reason(ended));
    }
    say(err, build.name() + " is " + ended.out().strip());
  }

  /** A name stands for a row, or for all rows of a benchmark. */
  private List<GuardBench> chosen() {
    List<GuardBench> all = GuardBench.all();
    Set<String> known = new LinkedHashSet<>();
    for (GuardBench bench : all) {
      known.add(bench.name());
      bench.rows().forEach(row -> known.add(row.name()));
    }
    for (String name : only) {
      if (!known.contains(name)) {
        throw new ParameterException(
            spec.commandLine(),
            "--only="
                + name
                + " is no row"
                + Spelling.nearest(name, known)
                    .map(near -> ", did you mean " + near + "?")
                    .orElse(", `bench guard --help` names all"));
      }
    }
    if (only.isEmpty()) {
      return all;
    }
    List<GuardBench> chosen = new ArrayList<>();
    for (GuardBench bench : all) {
      List<GuardRow> rows =
          bench.rows().stream()
              .filter(row -> only.contains(bench.name()) || only.contains(row.name()))
              .toList();
      if (!rows.isEmpty()) {
        chosen.add(bench.with(rows));
      }
    }
    return chosen;
  }

  private int judge(Guard guard, List<GuardBench> benches) throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    Rows rows =
        new Rows(
            out,
            json,
            "%-21s  %-4s  %9s  %9s  %6s  %6s  %6s  %6s  %9s  %9s  %8s  %8s  %s",
            "row",
            "unit",
            "ours",
            "theirs",
            "ratio_median=ratio",
            "ratio_min=min",
            "ratio_max=max",
            "itself_median=itself",
            "allocated",
            "allocated_theirs=theirs",
            "cpu_usec=cpu",
            "cpu_usec_theirs=theirs",
            "verdict");
    List<Outcome> outcomes = new ArrayList<>();
    guard.play(
        benches,
        outcome -> {
          outcomes.add(outcome);
          rows.add(row(outcome));
        });
    String summary = summary(outcomes, guard.largestOfItself());
    if (json) {
      say(spec.commandLine().getErr(), summary);
    } else {
      out.println(summary);
      out.flush();
    }
    boolean bad =
        outcomes.stream()
            .anyMatch(each -> each.verdict() == Verdict.SLOWER || each.verdict() == Verdict.FAILED);
    boolean compared = outcomes.stream().anyMatch(each -> each.pairs() != null);
    return bad || !compared ? ExitCode.FAILED : ExitCode.OK;
  }

  private Map<String, Object> row(Outcome outcome) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("row", outcome.row().name());
    row.put("verdict", outcome.verdict());
    row.put("unit", outcome.bench().unit());
    Pairs measured = outcome.pairs();
    if (measured != null) {
      Ratios ratios = measured.ratios();
      row.put("ours", measured.ours(Figure::value));
      row.put("theirs", measured.theirs(Figure::value));
      row.put("ratio_median", ratios.median());
      row.put("ratio_min", ratios.min());
      row.put("ratio_max", ratios.max());
      row.put("above", ratios.above());
      row.put("pairs", ratios.count());
      row.put("allocated", measured.ours(Figure::allocatedBytes));
      row.put("allocated_theirs", measured.theirs(Figure::allocatedBytes));
      row.put("cpu_usec", measured.ours(Figure::cpuUsec));
      row.put("cpu_usec_theirs", measured.theirs(Figure::cpuUsec));
    }
    if (outcome.itself() != null) {
      row.put("itself_median", outcome.itself().median());
      row.put("itself_min", outcome.itself().min());
      row.put("itself_max", outcome.itself().max());
    }
    if (!outcome.because().isEmpty()) {
      row.put("left_out", outcome.because());
    }
    row.put("command", "tagfabric " + String.join(" ", outcome.bench().arguments(runs)));
    return row;
  }

  private String summary(List<Outcome> outcomes, double largestOfItself) {
    String slower = names(outcomes, Verdict.SLOWER);
    String leftOut = names(outcomes, Verdict.LEFT_OUT);
    String failed = names(outcomes, Verdict.FAILED);
    long compared = outcomes.stream().filter(each -> each.pairs() != null).count();
    StringBuilder text = new StringBuilder();
    if (compared == 0) {
      text.append("nothing was compared");
    } else {
      text.append(slower.isEmpty() ? "no row slower" : "slower: " + slower);
      text.append("; compared: ").append(compared).append(" with ").append(against);
      text.append(", largest median beside itself: ").append(Table.decimal(largestOfItself));
    }
    text.append(leftOut.isEmpty() ? "" : "; left out: " + leftOut);
    text.append(failed.isEmpty() ? "" : "; failed: " + failed);
    return text.toString();
  }

  private static String names(List<Outcome> outcomes, Verdict verdict) {
    return outcomes.stream()
        .filter(each -> each.verdict() == verdict)
        .map(each -> each.row().name())
        .collect(Collectors.joining(", "));
  }
}
