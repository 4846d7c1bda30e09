package io.tagfabric.cli;

import io.tagfabric.cluster.hosts.HostPlan;
import io.tagfabric.cluster.hosts.Placement;
import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.cluster.job.LossPolicy;
import io.tagfabric.cluster.job.Profile;
import io.tagfabric.cluster.launch.Exports;
import io.tagfabric.cluster.launch.JobLauncher;
import io.tagfabric.cluster.launch.LaunchOptions;
import io.tagfabric.cluster.launch.LocalJob;
import io.tagfabric.cluster.launch.StandardStream;
import io.tagfabric.cluster.settings.Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Starts a program as a job of ranks, on this host or several. */
@Command(
    name = "run",
    description = "Start a program as a job of ranks, on this host or several.",
    footer = {
      "",
      "Options after PROGRAM belong to the program. What a rank prints gets its",
      "number in front. Rank 0 reads the standard input. The exit code is that of the",
      "rank that failed first, else 0; 124 after --timeout, or when a shutdown hook",
      "hides the code of System.exit; 128 and the number of a signal; 255, by Akka,",
      "after an error of the JVM in an actor; 3 without memory; 74 if output was",
      "lost.",
      "",
      "Hosts need this checkout with its build and its Java at the same paths, and",
      "the working directory.",
      "",
      "Examples: tagfabric run -n 4 hello",
      "          tagfabric run -n 8 --hosts node1,node2 hello",
      "          tagfabric run -n 4 -N 2 --spawner local hello"
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
      description = "How Akka's remoting travels: aeron (default), tcp or tls.")
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
      names = "--settings-dir",
      paramLabel = "DIR",
      description =
          "Settings from files of DIR: job.conf for all ranks, host-NAME.conf and rank-N.conf.")
  private Path settingsDirectory;

  @Option(
      names = {"-E", "--export"},
      paramLabel = "VARS",
      description =
          "Variables that ranks on other hosts get too: A,B,PREFIX*; or NAME=VALUE for all"
              + " ranks; may be repeated.")
  private List<String> exported = new ArrayList<>();

  @Option(
      names = {"-N", "--host-count"},
      paramLabel = "HOSTS",
      description = "Number of hosts: the first of those that are named.")
  private Integer hostCount;

  @Option(
      names = "--hosts",
      paramLabel = "LIST",
      description = "Hosts for the ranks, such as node1,node2 or with slots node1:4,node2:8.")
  private String hosts;

  @Option(
      names = "--hostfile",
      paramLabel = "FILE",
      description = "A host a line: NAME [slots=N] [address=ADDRESS] [# comment].")
  private Path hostFile;

  @Option(
      names = "--placement",
      paramLabel = "HOW",
      defaultValue = "BLOCK",
      description = "block (default) fills one host after the other, cyclic takes them in turn.")
  private Placement placement = Placement.BLOCK;

  @Option(
      names = "--spawner",
      paramLabel = "HOW",
      description =
          "How ranks get to hosts: ssh (default), local (addresses of this machine), or"
              + " \"command TEMPLATE\" with %%H for the host and %%C for the command.")
  private String spawner;

  @Option(
      names = "--ssh",
      paramLabel = "COMMAND",
      description = "ssh with its options, such as \"ssh -p 2222 -i key\".")
  private String ssh;

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
      names = {"-k", "--keep"},
      description = "Keep the files of the job and say where they are.")
  private boolean keep;

  @Option(
      names = {"-t", "--dry-run"},
      description = "Print the command of each host and rank and start nothing.")
  private boolean dryRun;

  @Option(
      names = {"-v", "--verbose"},
      description =
          "Print the command of each host and rank, how each rank ended, and stack traces of "
              + "the launcher.")
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
    Exports exports = Exports.parse(exported, System.getenv());
    Settings settings = AllSettings.checked(exports.assigned());
    Optional<HostPlan> plan = plan(settings);
    LocalJob job =
        new LocalJob(
            ranks,
            Programs.classOf(program),
            arguments,
            profile != null ? profile : settings.get(JobSettings.PROFILE),
            flags(),
            Optional.ofNullable(timeout),
            verbose,
            options(exports, plan));
    return new JobLauncher(
            settings, System.getenv(), StandardStream.output(), StandardStream.errors())
        .run(job);
  }

  private Optional<HostPlan> plan(Settings settings) {
    HostArguments given =
        new HostArguments(
            Optional.ofNullable(hosts),
            Optional.ofNullable(hostFile),
            Optional.ofNullable(hostCount),
            Optional.ofNullable(spawner),
            Optional.ofNullable(ssh),
            placement);
    return given.plan(settings);
  }

  private LaunchOptions options(Exports exports, Optional<HostPlan> plan) {
    Map<Integer, Map<String, String>> variables = new HashMap<>();
    if (settingsDirectory != null) {
      List<String> hostNames =
          plan.map(known -> hostNames(known)).orElse(Collections.nCopies(ranks, ""));
      variables.putAll(SettingsFiles.variables(settingsDirectory, hostNames));
    }
    RankSettings.variables(rankSettings, ranks)
        .forEach(
            (rank, given) -> variables.computeIfAbsent(rank, r -> new HashMap<>()).putAll(given));
    return new LaunchOptions(
        Optional.ofNullable(onFailure),
        exports,
        variables,
        Optional.ofNullable(outputDirectory),
        tagged,
        true,
        debugRank == null
            ? OptionalInt.empty()
            : OptionalInt.of(RankSettings.requireRank("--debug-rank", debugRank, ranks)),
        keep,
        dryRun,
        plan);
  }

  /** The name of the host of each rank. */
  private List<String> hostNames(HostPlan plan) {
    return Arrays.stream(plan.place(ranks))
        .mapToObj(host -> plan.hosts().get(host).name())
        .toList();
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
