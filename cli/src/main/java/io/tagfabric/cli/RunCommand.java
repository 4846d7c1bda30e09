package io.tagfabric.cli;

import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.cluster.job.LossPolicy;
import io.tagfabric.cluster.job.Profile;
import io.tagfabric.cluster.launch.JobLauncher;
import io.tagfabric.cluster.launch.LaunchOptions;
import io.tagfabric.cluster.launch.LocalJob;
import io.tagfabric.cluster.settings.Settings;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Starts a program as a job of ranks on this host. */
@Command(
    name = "run",
    description = "Start a program as a job of ranks on this host.",
    footer = {
      "",
      "Options after PROGRAM belong to the program. What a rank prints gets its number in front.",
      "Rank 0 reads the standard input. The exit code is that of the rank that failed first, else",
      "0; 124 after --timeout.",
      "",
      "Example: tagfabric run -n 4 hello"
    })
final class RunCommand implements Callable<Integer> {
  @Option(
      names = {"-n", "--ranks"},
      paramLabel = "N",
      required = true,
      converter = RankCountConverter.class,
      description = "Number of ranks.")
  private int ranks;

  @Option(
      names = "--profile",
      paramLabel = "NAME",
      converter = ProfileConverter.class,
      description = "How Akka's remoting travels: aeron (default) or tcp.")
  private Profile profile;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "End the job after this time, such as 30s or 2m.")
  private Duration timeout;

  @Option(
      names = "--jvm-opts",
      paramLabel = "FLAGS",
      description = "Flags for the JVM of each rank, separated by blanks; may be repeated.")
  private List<String> jvmOpts = new ArrayList<>();

  @Option(
      names = "--on-failure",
      paramLabel = "POLICY",
      description = "When a rank fails: abort (default) ends the others, continue does not.")
  private LossPolicy onFailure;

  @Option(
      names = "--rank-set",
      paramLabel = "RANK:KEY=VALUE",
      description = "A setting for one rank, such as 3:flow.ping=1ms; may be repeated.")
  private List<String> rankSettings = new ArrayList<>();

  @Option(
      names = "--output-dir",
      paramLabel = "DIR",
      description = "Write what ranks print to DIR/rank-N.out and .err, not to the screen.")
  private Path outputDirectory;

  @Option(
      names = "--tag-output",
      negatable = true,
      defaultValue = "true",
      fallbackValue = "true",
      description = "Begin each line with its rank (default), or not.")
  private boolean tagged = true;

  @Option(
      names = "--debug-rank",
      paramLabel = "RANK",
      description = "The JVM of this rank waits for a debugger and says where.")
  private Integer debugRank;

  @Option(
      names = {"-t", "--dry-run"},
      description = "Print the command of each rank and start nothing.")
  private boolean dryRun;

  @Option(
      names = {"-v", "--verbose"},
      description = "Print the command of each rank, and stack traces of the launcher.")
  private boolean verbose;

  @Parameters(
      index = "0",
      paramLabel = "PROGRAM",
      description = "A name that `tagfabric programs` lists, or a class with a main method.")
  private String program;

  @Parameters(index = "1..*", paramLabel = "ARG", description = "Arguments of the program.")
  private List<String> arguments = new ArrayList<>();

  @Override
  public Integer call() {
    Settings settings = AllSettings.checked();
    LocalJob job =
        new LocalJob(
            ranks,
            Programs.classOf(program),
            arguments,
            profile != null ? profile : settings.get(JobSettings.PROFILE),
            flags(),
            Optional.ofNullable(timeout),
            verbose,
            options());
    // unbuffered and without a charset between: ranks write bytes, and a closed pipe must show
    FileOutputStream out = new FileOutputStream(FileDescriptor.out);
    FileOutputStream err = new FileOutputStream(FileDescriptor.err);
    return new JobLauncher(settings, System.getenv(), out, err).run(job);
  }

  private LaunchOptions options() {
    return new LaunchOptions(
        Optional.ofNullable(onFailure),
        RankSettings.variables(rankSettings, ranks),
        Optional.ofNullable(outputDirectory),
        tagged,
        true,
        debugRank == null
            ? OptionalInt.empty()
            : OptionalInt.of(RankSettings.requireRank("--debug-rank", debugRank, ranks)),
        dryRun);
  }

  boolean isVerbose() {
    return verbose;
  }

  private List<String> flags() {
    return jvmOpts.stream()
        .flatMap(flags -> List.of(flags.strip().split("\\s+", -1)).stream())
        .filter(flag -> !flag.isEmpty())
        .toList();
  }
}
