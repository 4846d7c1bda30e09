package io.tagfabric.demos;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.cluster.launch.JobLauncher;
import io.tagfabric.cluster.launch.LaunchException;
import io.tagfabric.cluster.launch.LocalJob;
import io.tagfabric.cluster.report.Rows;
import io.tagfabric.cluster.settings.Settings;
import java.io.ByteArrayOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code tagfabric exit-suite}: runs {@link ExitCases} one after the other and checks each. */
@Command(
    name = "exit-suite",
    description = "End jobs in all the ways of exit-cases, and check how they end.",
    footer = {
      "",
      "A run passes if the job ends with the right code within --limit, and no rank says that it",
      "failed. Code -1 stands for a job that could not start. The exit code is 0 if all pass.",
      "",
      "Example: tagfabric exit-suite --cases 1,3,100 --ranks 1,4"
    })
public final class ExitSuite implements Callable<Integer> {
  private static final String FAILED = "TEST FAILED";

  /** No exit code of a process. */
  private static final int NOT_STARTED = -1;

  @Option(names = "--cases", paramLabel = "N,...", split = ",", description = "Only these cases.")
  private List<Integer> cases = ExitCase.ALL.stream().map(ExitCase::number).toList();

  @Option(
      names = "--ranks",
      paramLabel = "N,...",
      split = ",",
      description = "Numbers of ranks, 1,2,3,4,5 if not given.")
  private List<Integer> ranks = List.of(1, 2, 3, 4, 5);

  @Option(
      names = "--order",
      paramLabel = "WHICH",
      description = "Order of the ranks: forward, reverse or both (default).")
  private String order = "both";

  @Option(names = "--repeat", paramLabel = "K", description = "Run all K times.")
  private int repeat = 1;

  @Option(
      names = "--limit",
      paramLabel = "SECONDS",
      description = "A run that takes longer is ended and has failed; 60 if not given.")
  private int limit = 60;

  @Option(names = "--json", description = "Print a JSON object a line.")
  private boolean json;

  @Spec private CommandSpec spec;

  /** How one run ended. */
  private record Run(
      ExitCase which, int ranks, boolean reverse, int code, double seconds, String said) {
    boolean passes() {
      return code != NOT_STARTED && which.isMetBy(code) && !said.contains(FAILED);
    }
  }

  @Override
  public Integer call() {
    requireKnown();
    PrintWriter out = spec.commandLine().getOut();
    Rows rows = json ? Rows.json(out) : table(out);
    int failed = 0;
    int all = 0;
    int planned = repeat * orders().size() * ranks.size() * cases.size();
    spec.commandLine().getErr().println(planned + " runs of some seconds each");
    spec.commandLine().getErr().flush();
    for (int round = 0; round < repeat; round++) {
      for (boolean reverse : orders()) {
        for (int size : ranks) {
          for (int number : cases) {
            Run run = run(ExitCase.of(number), size, reverse);
            all++;
            failed += run.passes() ? 0 : 1;
            show(rows, run, all + "/" + planned);
          }
        }
      }
    }
    if (!json) {
      out.println(all - failed + " of " + all + " runs passed");
      out.flush();
    }
    return failed == 0 ? ExitCode.OK : ExitCode.FAILED;
  }

  private void requireKnown() {
    for (int number : cases) {
      if (ExitCase.of(number) == null) {
        throw new ParameterException(
            spec.commandLine(), "--cases: no case " + number + ", there are 1-18 and 100-113");
      }
    }
    if (orders().isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "--order=" + order + " is unknown, choose forward, reverse or both");
    }
  }

  private List<Boolean> orders() {
    return switch (order) {
      case "forward" -> List.of(false);
      case "reverse" -> List.of(true);
      case "both" -> List.of(false, true);
      default -> List.of();
    };
  }

  private Run run(ExitCase which, int size, boolean reverse) {
    Settings settings = Settings.of(ConfigFactory.load());
    List<String> arguments = new ArrayList<>();
    if (reverse) {
      arguments.add("-r");
    }
    arguments.add(Integer.toString(which.number()));
    LocalJob job =
        new LocalJob(
            size,
            ExitCases.class.getName(),
            arguments,
            settings.get(JobSettings.PROFILE),
            crashFlags(which),
            Optional.of(Duration.ofSeconds(limit)),
            true);
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    long beginNs = System.nanoTime();
    int code;
    try {
      code = new JobLauncher(settings, System.getenv(), said, said).run(job);
    } catch (LaunchException failure) {
      // one job that could not start says nothing of the next
      code = NOT_STARTED;
      said.writeBytes(failure.getMessage().getBytes(StandardCharsets.UTF_8));
    }
    double seconds = (System.nanoTime() - beginNs) / 1e9;
    return new Run(which, size, reverse, code, seconds, said.toString(StandardCharsets.UTF_8));
  }

  /** A JVM that crashes on purpose need not write about it; any other shows why, in no file. */
  private static List<String> crashFlags(ExitCase which) {
    return List.of(
        "-XX:-CreateCoredumpOnCrash",
        which.isCrash() ? "-XX:+SuppressFatalErrorMessage" : "-XX:+ErrorFileToStderr");
  }

  private void show(Rows rows, Run run, String place) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("run", place);
    row.put("case", run.which().number());
    row.put("ranks", run.ranks());
    row.put("order", run.reverse() ? "reverse" : "forward");
    row.put("expected", run.which().expected());
    row.put("code", run.code());
    row.put("time_s", run.seconds());
    row.put("result", run.passes() ? "pass" : "FAIL");
    row.put("what", run.which().what());
    rows.add(row);
    if (!run.passes()) {
      run.said()
          .lines()
          .map(line -> line.replaceAll("(-cp [^:]*):\\S*", "$1:..."))
          .forEach(line -> spec.commandLine().getErr().println("  | " + line));
      spec.commandLine().getErr().flush();
    }
  }

  private static Rows table(PrintWriter out) {
    return Rows.table(
        out,
        Rows.column("run", "run", 7),
        Rows.column("case", "case", 4),
        Rows.column("ranks", "ranks", 5),
        Rows.column("order", "order", 7),
        Rows.column("expected", "expected", 8),
        Rows.column("code", "code", 4),
        Rows.column("time_s", "time_s", 7),
        Rows.column("result", "result", 6),
        Rows.column("what", "what", 4));
  }
}
