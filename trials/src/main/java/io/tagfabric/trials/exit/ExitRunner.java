package io.tagfabric.trials.exit;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.host.HostDirectory;
import io.tagfabric.cluster.host.LaunchException;
import io.tagfabric.cluster.host.LaunchSettings;
import io.tagfabric.cluster.job.ExitSettings;
import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.launch.Exports;
import io.tagfabric.launch.JobLauncher;
import io.tagfabric.launch.LaunchOptions;
import io.tagfabric.launch.LocalJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Runs cases as jobs, one at a time, and notes how they end. They have a launch directory of their
 * own, next to the usual one, so that nothing of other jobs is taken for theirs.
 */
final class ExitRunner {
  /** The launcher's file tells ranks of a host that one of them is gone, within a second. */
  private static final Duration NOTICED = Duration.ofSeconds(1);

  private static final Duration LEFT_FOR = Duration.ofSeconds(5);

  private final Map<String, String> environment = new HashMap<>(System.getenv());
  private final Settings settings;
  private final Path directory;
  private final Duration limit;

  ExitRunner(Duration limit) {
    this.limit = limit;
    Path usual = HostDirectory.choose(Settings.of(ConfigFactory.load())).path();
    directory =
        usual.resolveSibling(usual.getFileName() + "-exit-suite-" + ProcessHandle.current().pid());
    environment.put(LaunchSettings.DIRECTORY.variable(), directory.toString());
    settings = Settings.of(ConfigFactory.load(), environment);
    // each job removes what is its own; the place itself is ours
    Runtime.getRuntime().addShutdownHook(new Thread(this::removePlace, "exit-suite-end"));
  }

  private void removePlace() {
    if (new Leftovers(directory, LEFT_FOR).files().isEmpty()) {
      try {
        Files.deleteIfExists(directory);
      } catch (IOException notEmpty) {
        // a job that is interrupted may need longer
      }
    }
  }

  Settings settings() {
    return settings;
  }

  ExitRun run(ExitCase which, int size, boolean reverse) {
    SaidLines said = new SaidLines();
    int code;
    try {
      code =
          new JobLauncher(settings, environment, said.stream(), said.stream())
              .run(job(which, size, reverse));
    } catch (LaunchException failure) {
      // one job that could not start says nothing of the next
      code = ExitRun.NOT_STARTED;
      said.add(failure.getMessage());
    }
    double seconds = said.seconds();
    List<SaidLine> lines = said.all();
    Leftovers left = new Leftovers(directory, LEFT_FOR);
    return new ExitRun(
        which,
        size,
        reverse,
        limit,
        code,
        seconds,
        times(which, size),
        lines,
        left.processes(),
        left.files(),
        left.ports(ports(lines)));
  }

  private LocalJob job(ExitCase which, int size, boolean reverse) {
    List<String> arguments = new ArrayList<>();
    if (reverse) {
      arguments.add("-r");
    }
    arguments.add(Integer.toString(which.number()));
    return new LocalJob(
        size,
        ExitCases.class.getName(),
        arguments,
        settings.get(JobSettings.PROFILE),
        crashFlags(which),
        Optional.of(limit),
        true,
        LaunchOptions.defaults()
            .withExports(
                new Exports(
                    List.of(), Map.of(LaunchSettings.DIRECTORY.variable(), directory.toString()))));
  }

  /** A JVM that crashes on purpose need not write about it; any other shows why, in no file. */
  private static List<String> crashFlags(ExitCase which) {
    return List.of(
        "-XX:-CreateCoredumpOnCrash",
        which.isCrash() ? "-XX:+SuppressFatalErrorMessage" : "-XX:+ErrorFileToStderr");
  }

  /** A lost rank is noticed first; T later the others begin to end if they have not before. */
  private ExitRun.Times times(ExitCase which, int size) {
    Duration step = ExitSettings.timeout(settings, size);
    Duration before = which.losesARank() ? NOTICED.plus(step) : Duration.ZERO;
    return new ExitRun.Times(
        before.plus(step.multipliedBy(2)), before.plus(ExitSettings.longest(settings, size)));
  }

  private static List<Integer> ports(List<SaidLine> lines) {
    return lines.stream()
        .filter(line -> line.text().startsWith(ExitLines.BEGINS))
        .map(line -> Integer.parseInt(line.text().substring(ExitLines.BEGINS.length())))
        .toList();
  }
}
