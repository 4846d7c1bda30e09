package io.tagfabric.cli;

import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.cluster.job.Profile;
import io.tagfabric.cluster.launch.JobLauncher;
import io.tagfabric.cluster.launch.LocalJob;
import io.tagfabric.cluster.settings.Settings;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
      "The exit code is that of the rank that failed first, else 0; 124 after --timeout.",
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
            verbose);
    // unbuffered and without a charset between: ranks write bytes, and a closed pipe must show
    FileOutputStream out = new FileOutputStream(FileDescriptor.out);
    FileOutputStream err = new FileOutputStream(FileDescriptor.err);
    return new JobLauncher(settings, System.getenv(), out, err).run(job);
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
