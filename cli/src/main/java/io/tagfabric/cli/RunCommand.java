package io.tagfabric.cli;

import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.cluster.job.LossPolicy;
import io.tagfabric.cluster.job.Profile;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.launch.Exports;
import io.tagfabric.launch.JobLauncher;
import io.tagfabric.launch.LaunchOptions;
import io.tagfabric.launch.LocalJob;
import io.tagfabric.launch.hosts.HostPlan;
import io.tagfabric.launch.hosts.Placement;
import io.tagfabric.launch.output.StandardStream;
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
import java.util.stream.IntStream;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Starts a program as a job of ranks, on this host or several. */
@Command(
    name = "run",
    description = "Start a program as a job of ranks, on this host or several.",
    footer = {
      "",
      "What follows PROGRAM, or the FILE of --jar, belongs to the program. A rank's",
      "lines begin with its number. Rank 0 reads the standard input.",
      "",
      "The exit code is that of the rank that failed first, else 0. Others are 2 for",
      "a mistake on this line; 124 after --timeout, or when a shutdown hook hides the",
      "code of System.exit; 128 and the number of a signal; 255, by Akka, after an",
      "error of the JVM in an actor; 3 without memory; 74 if output was lost.",
      "",
      "Hosts need this installation, its Java and the program at the same paths, and",
      "the working directory.",
      "",
      "Examples:",
      "  tagfabric run -n 4 hello",
      "  tagfabric run -n 4 --jar app.jar input.txt",
      "  tagfabric run -n 4 --class-path 'app.jar:lib/*' com.acme.Main input.txt",
      "  tagfabric run -n 8 --hosts node1,node2 -x LEVEL=9 --wdir /data --jar app.jar",
      "  tagfabric run -n 4 -N 2 --spawner local hello"
    })
final class RunCommand implements Callable<Integer> {
  @Option(
      names = {"-n", "-np", "--ranks"},
      paramLabel = "N",
      required = true,
      converter = RankCountConverter.class,
      description = "Number of ranks.")
  private int ranks;

  @Option(
      names = {"--jar", "-jar"},
      paramLabel = "FILE",
      parameterConsumer = JarConsumer.class,
      description =
          "Run the Main-Class of this jar, with the Class-Path of its manifest; all that follows"
              + " belongs to the program.")
  private Path jar;

  @Option(
      names = {"--class-path", "-cp", "-classpath"},
      paramLabel = "PATH",
      description =
          "Jars and directories of the program, as java takes them, such as 'app.jar:lib/*';"
              + " Tagfabric's own jars come first. Default: CLASSPATH.")
  private String classPath;

  @Option(
      names = {"--wdir", "-wdir"},
      paramLabel = "DIR",
      description = "Working directory of the ranks, on each host.")
  private Path workingDirectory;

  @Option(
      names = "--profile",
      paramLabel = "NAME",
      converter = ProfileConverter.class,
      completionCandidates = Choices.Profiles.class,
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
      names = "--ranks-per-jvm",
      paramLabel = "K",
      defaultValue = "1",
      converter = RankCountConverter.class,
      description =
          "Ranks that share a JVM, on this host (default: 1). A rank has its own statics, variables"
              + " and end; flags of the JVM hold for all its ranks.")
  private int ranksPerJvm = 1;

  @Option(
      names = "--on-failure",
      paramLabel = "POLICY",
      completionCandidates = Choices.LossPolicies.class,
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
      names = "-x",
      paramLabel = "VAR[=VALUE]",
      description =
          "The same as -E, as mpirun has it: a variable for all ranks, with this value or the one"
              + " it has here; may be repeated.")
  private List<String> variables = new ArrayList<>();

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
      completionCandidates = Choices.Placements.class,
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

  @Mixin private final FreezeOption freeze = new FreezeOption();

  @Mixin private final ObserveOptions observe = new ObserveOptions();

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
          "Print the command of each host and rank, how each rank ended, and stack traces of the"
              + " launcher.")
  private boolean verbose;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "PROGRAM",
      completionCandidates = Choices.ProgramNames.class,
      description = "A name that `tagfabric programs` lists, or a class with a main method.")
  private String program;

  @Parameters(index = "1..*", paramLabel = "ARG", description = "Arguments of the program.")
  private List<String> arguments = new ArrayList<>();

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    if (program == null && jar == null) {
      throw new ParameterException(
          spec.commandLine(), "no program given, name one, a class, or a jar by --jar FILE");
    }
    Exports exports =
        Exports.parse("-E", exported, System.getenv())
            .and(Exports.parse("-x", variables, System.getenv()));
    Settings settings = AllSettings.checked(exports.assigned());
    Program found = program();
    Optional<HostPlan> plan = plan(settings);
    return observe.run(
        ranks,
        plan.isPresent(),
        dryRun,
        variables -> launch(exports, settings, found, plan, variables));
  }

  private int launch(
      Exports exports,
      Settings settings,
      Program found,
      Optional<HostPlan> plan,
      Map<String, String> more) {
    LocalJob job =
        new LocalJob(
            ranks,
            found.mainClass(),
            found.arguments(),
            profile(settings),
            flags(found),
            Optional.ofNullable(timeout),
            verbose,
            options(exports, plan, more).withRanksPerJvm(ranksPerJvm),
            found.files());
    return new JobLauncher(
            settings, System.getenv(), StandardStream.output(), StandardStream.errors())
        .run(job);
  }

  /** A media driver gives up a rank that has stood at a breakpoint for half a minute. */
  private Profile profile(Settings settings) {
    if (profile != null) {
      return profile;
    }
    Profile set = settings.get(JobSettings.PROFILE);
    return debugRank != null && set == Profile.AERON ? Profile.TCP : set;
  }

  private Program program() {
    ProgramArguments given =
        new ProgramArguments(
            Optional.ofNullable(program),
            Optional.ofNullable(jar),
            arguments,
            Optional.ofNullable(classPath),
            Optional.ofNullable(System.getenv("CLASSPATH")),
            Optional.ofNullable(workingDirectory));
    return given.find(Path.of("").toAbsolutePath());
  }

  /** As {@code java -jar} does, leaves nothing behind the jar to the launcher. */
  void takeJar(Path file, List<String> rest) {
    if (ranks == 0) {
      throw new ParameterException(
          spec.commandLine(),
          "no number of ranks before --jar, write -n N there: what follows the jar belongs to the"
              + " program");
    }
    jar = file;
    arguments = List.copyOf(rest);
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

  private LaunchOptions options(
      Exports exports, Optional<HostPlan> plan, Map<String, String> more) {
    Map<Integer, Map<String, String>> variables = new HashMap<>();
    Map<String, String> all = new HashMap<>(freeze.variables());
    IntStream.range(0, ranks).forEach(rank -> variables.put(rank, new HashMap<>(all)));
    if (settingsDirectory != null) {
      List<String> hostNames =
          plan.map(known -> hostNames(known)).orElse(Collections.nCopies(ranks, ""));
      SettingsFiles.variables(settingsDirectory, hostNames)
          .forEach((rank, given) -> variables.get(rank).putAll(given));
    }
    RankSettings.variables(rankSettings, ranks)
        .forEach(
            (rank, given) -> variables.computeIfAbsent(rank, r -> new HashMap<>()).putAll(given));
    variables.values().forEach(given -> given.putAll(more)); // else parts would be elsewhere
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

  private List<String> flags(Program found) {
    Stream<String> given =
        jvmOpts.stream()
            .flatMap(flags -> List.of(flags.strip().split("\\s+", -1)).stream())
            .filter(flag -> !flag.isEmpty());
    return Stream.of(found.jvmFlags().stream(), given, freeze.flags())
        .flatMap(flags -> flags)
        .toList();
  }
}
