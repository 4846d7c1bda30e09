package io.tagfabric.trials.fabtests;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.host.HostDirectory;
import io.tagfabric.cluster.host.LaunchException;
import io.tagfabric.cluster.host.LaunchSettings;
import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.launch.Exports;
import io.tagfabric.launch.JobLauncher;
import io.tagfabric.launch.LaunchOptions;
import io.tagfabric.launch.LocalJob;
import io.tagfabric.launch.output.LineStream;
import io.tagfabric.trials.exit.Leftovers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Runs scenarios between two JVMs of a job, many in one job. A job ends with the first that fails;
 * the others go on in the next. Thread: one.
 */
final class PairOfJvms {
  static final String WHERE = "jvms";

  private static final Duration LEFT_FOR = Duration.ofSeconds(5);
  private static final Duration START = Duration.ofSeconds(60);
  private static final Pattern LINE =
      Pattern.compile("\\[([01])\\] (fabtests: \\w+ )(\\S+)(?: (.*))?");

  /** How far a scenario has come. */
  private static final class Progress {
    private int begun;
    private int passed;
    private final List<String> failures = new ArrayList<>();
    private long beganNs;
    private long endedNs;
  }

  private final String provider;
  private final Duration limit;
  private final long slices;
  private final Map<String, String> environment = new HashMap<>(System.getenv());
  private final Settings settings;
  private final Path directory;
  private final List<String> said = Collections.synchronizedList(new ArrayList<>());
  private boolean interrupted;
  private boolean formed;

  /**
   * @param limit of a scenario
   * @param slices pieces that scenarios of pieces move
   */
  PairOfJvms(String provider, Duration limit, long slices) {
    this.provider = provider;
    this.limit = limit;
    this.slices = slices;
    // a place of its own, so that nothing of other jobs is taken for what this one has left
    // whose name is short, as that of a socket below it has to be
    Path usual = HostDirectory.choose(Settings.of(ConfigFactory.load())).path();
    directory = usual.resolveSibling("tf-" + Long.toString(ProcessHandle.current().pid(), 36));
    environment.put(LaunchSettings.DIRECTORY.variable(), directory.toString());
    settings = Settings.of(ConfigFactory.load(), environment);
  }

  boolean isInterrupted() {
    return interrupted;
  }

  /** Runs them all; tells each outcome in their order. */
  void run(List<Scenario> scenarios, Consumer<Outcome> told) {
    List<Scenario> left = new ArrayList<>(scenarios);
    while (!left.isEmpty() && !interrupted) {
      List<Outcome> outcomes = runJob(left);
      outcomes.forEach(told);
      left = new ArrayList<>(left.subList(outcomes.size(), left.size()));
      if (!formed) {
        left.forEach(each -> told.accept(Outcome.notRun(each, provider, WHERE, "no job forms")));
        return;
      }
    }
    try {
      Files.deleteIfExists(directory);
    } catch (IOException notEmpty) {
      // has been told as a failure
    }
  }

  private List<Outcome> runJob(List<Scenario> scenarios) {
    said.clear();
    Map<String, Progress> progress = Collections.synchronizedMap(new HashMap<>());
    LineStream out =
        new LineStream(
            line -> {
              said.add(line);
              read(line, progress);
            });
    int code;
    try {
      code = new JobLauncher(settings, environment, out, out).run(job(scenarios));
    } catch (LaunchException failure) {
      code = ExitCode.FAILED;
      said.add(failure.getMessage());
    }
    out.endLine();
    formed = !progress.isEmpty();
    interrupted = code == ExitCode.INTERRUPTED || code == ExitCode.TERMINATED;
    return interrupted ? List.of() : judge(scenarios, progress, code);
  }

  private LocalJob job(List<Scenario> scenarios) {
    List<String> arguments = new ArrayList<>();
    arguments.add(provider);
    arguments.add(Long.toString(limit.toSeconds()));
    arguments.add(Long.toString(slices));
    scenarios.forEach(each -> arguments.add(each.name()));
    return new LocalJob(
        2,
        FabtestRank.class.getName(),
        arguments,
        settings.get(JobSettings.PROFILE),
        List.of(),
        Optional.of(START.plus(limit.multipliedBy(scenarios.size()))),
        false,
        LaunchOptions.defaults()
            .withExports(
                new Exports(
                    List.of(), Map.of(LaunchSettings.DIRECTORY.variable(), directory.toString()))));
  }

  private static void read(String line, Map<String, Progress> all) {
    Matcher matcher = LINE.matcher(line);
    if (!matcher.matches()) {
      return;
    }
    if (matcher.group(2).equals(FabtestRank.PORT)) {
      return;
    }
    Progress progress = all.computeIfAbsent(matcher.group(3), name -> new Progress());
    progress.endedNs = System.nanoTime();
    switch (matcher.group(2)) {
      case FabtestRank.BEGINS -> {
        progress.begun++;
        if (progress.begun == 1) {
          progress.beganNs = progress.endedNs;
        }
      }
      case FabtestRank.PASSES -> progress.passed++;
      default -> progress.failures.add("side " + matcher.group(1) + ": " + matcher.group(4));
    }
  }

  /** Outcomes up to the first failure; at least one. */
  private List<Outcome> judge(List<Scenario> scenarios, Map<String, Progress> progress, int code) {
    List<Outcome> outcomes = new ArrayList<>();
    for (Scenario scenario : scenarios) {
      Progress its = progress.getOrDefault(scenario.name(), new Progress());
      double seconds = (its.endedNs - its.beganNs) / 1e9;
      if (its.passed == 2) {
        outcomes.add(Outcome.pass(scenario, provider, WHERE, seconds));
      } else {
        String why =
            its.failures.isEmpty()
                ? (its.begun == 0 ? "the job did not come so far" : "the job ended in its midst")
                    + ", code "
                    + code
                    + lastWords()
                : String.join("; ", its.failures);
        outcomes.add(Outcome.fail(scenario, provider, WHERE, why, seconds));
        break;
      }
    }
    List<String> left = leftBehind();
    int last = outcomes.size() - 1;
    boolean allPassed = outcomes.get(last).result() == Outcome.Result.PASS;
    if (!left.isEmpty() || (allPassed && code != ExitCode.OK)) {
      String why = left.isEmpty() ? "the job ended with code " + code : "left behind: " + left;
      outcomes.set(
          last,
          Outcome.fail(scenarios.get(last), provider, WHERE, why, outcomes.get(last).seconds()));
    }
    return outcomes;
  }

  private String lastWords() {
    List<String> lines =
        Arrays.stream(said.toArray(String[]::new))
            .filter(line -> !line.contains("command:"))
            .toList();
    return lines.isEmpty()
        ? ""
        : ": " + String.join(" / ", lines.subList(Math.max(0, lines.size() - 3), lines.size()));
  }

  private List<String> leftBehind() {
    Leftovers leftovers = new Leftovers(directory, LEFT_FOR);
    List<String> left = new ArrayList<>(leftovers.processes());
    left.addAll(leftovers.files());
    List<Integer> ports = new ArrayList<>();
    for (String line : List.of(said.toArray(String[]::new))) {
      Matcher matcher = LINE.matcher(line);
      if (matcher.matches() && matcher.group(2).equals(FabtestRank.PORT)) {
        ports.add(Integer.valueOf(matcher.group(3)));
      }
    }
    left.addAll(leftovers.ports(ports));
    return left;
  }
}
