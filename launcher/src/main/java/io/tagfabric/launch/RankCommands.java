package io.tagfabric.launch;

import io.tagfabric.cluster.host.SharedVariables;
import io.tagfabric.cluster.job.ExitSettings;
import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.cluster.job.JobSpec;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Builds the commands of a job's ranks. */
final class RankCommands {
  /** What runs several ranks in one JVM; by name, as the launcher starts it and never loads it. */
  private static final String SHARED_MAIN = "io.tagfabric.simulation.ranks.RanksMain";

  /** A rank at a breakpoint says nothing for as long as a person thinks; by name, as above. */
  private static final String AT_BREAKPOINTS =
      "-Dakka.cluster.failure-detector.acceptable-heartbeat-pause=24h";

  private final LocalJob job;
  private final Map<String, String> environment;
  private final int[] hostOf;

  /**
   * @param environment of the launcher
   * @param hostOf index of the host of each rank
   */
  RankCommands(LocalJob job, Map<String, String> environment, int[] hostOf) {
    this.job = job;
    this.environment = environment;
    this.hostOf = hostOf.clone();
  }

  /**
   * The commands of all ranks.
   *
   * @param hostVariables further variables of the ranks of each host
   */
  List<RankCommand> of(List<JobSpec> specs, List<Map<String, String>> hostVariables) {
    List<Map<String, String>> variables = new ArrayList<>();
    for (JobSpec spec : specs) {
      variables.add(variables(spec, hostVariables.get(hostOf[spec.rank()])));
    }
    int together = job.options().ranksPerJvm();
    List<RankCommand> commands = new ArrayList<>();
    for (int first = 0; first < variables.size(); first += together) {
      List<Integer> ranks =
          IntStream.range(first, Math.min(first + together, variables.size())).boxed().toList();
      if (ranks.size() == 1) {
        commands.add(alone(first, variables.get(first)));
      } else {
        commands.addAll(shared(ranks, variables));
      }
    }
    return commands;
  }

  private Map<String, String> variables(JobSpec spec, Map<String, String> hostVariables) {
    Map<String, String> variables = new LinkedHashMap<>(job.options().exports().assigned());
    variables.putAll(hostVariables);
    variables.putAll(spec.toEnvironment());
    putOptions(variables);
    variables.putAll(job.options().rankVariables().getOrDefault(spec.rank(), Map.of()));
    return variables;
  }

  private RankCommand alone(int rank, Map<String, String> variables) {
    List<String> words =
        JavaCommand.of(
            environment,
            flags(List.of(rank)),
            job.files().classPath(),
            job.mainClass(),
            job.arguments());
    return new RankCommand(rank, hostOf[rank], words, variables, job.files().directory());
  }

  /** The JVM gets what its ranks have in common, and what each has of its own by another name. */
  private List<RankCommand> shared(List<Integer> ranks, List<Map<String, String>> variables) {
    int first = ranks.get(0);
    int last = ranks.get(ranks.size() - 1);
    Map<String, String> all = SharedVariables.of(ranks, variables.subList(first, last + 1));
    List<String> arguments = new ArrayList<>();
    arguments.add(first + "-" + last);
    arguments.add(
        job.files().classPath().stream()
            .map(Path::toString)
            .collect(Collectors.joining(File.pathSeparator)));
    arguments.add(job.mainClass());
    arguments.addAll(job.arguments());
    List<String> words = JavaCommand.of(environment, flags(ranks), SHARED_MAIN, arguments);
    return ranks.stream()
        .map(
            rank -> new RankCommand(rank, hostOf[rank], words, all, job.files().directory(), ranks))
        .toList();
  }

  private void putOptions(Map<String, String> variables) {
    LaunchOptions options = job.options();
    options
        .onLoss()
        .ifPresent(
            policy ->
                variables.put(ExitSettings.ON_LOSS.variable(), ExitSettings.ON_LOSS.write(policy)));
    if (options.debugRank().isPresent()) {
      variables.put(JobSettings.START_TIMEOUT.variable(), "1 h");
    }
  }

  private List<String> flags(List<Integer> ranks) {
    // Starting an ActorSystem takes a JVM 4 s of CPU, half of it to optimise code that runs once.
    // Four times the thresholds of the second compiler save more than 1 s a rank; a hot loop
    // passes them some milliseconds later.
    List<String> flags =
        new ArrayList<>(
            List.of(
                "-XX:Tier4InvocationThreshold=20000",
                "-XX:Tier4MinInvocationThreshold=3000",
                "-XX:Tier4CompileThreshold=60000"));
    // together the ranks of a host may fill three quarters of its memory
    int host = hostOf[ranks.get(0)];
    long there = Arrays.stream(hostOf).filter(other -> other == host).count();
    double share = Math.min(25.0, 75.0 / there);
    flags.add("-XX:MaxRAMPercentage=" + Math.min(75.0, share * ranks.size()));
    if (job.options().debugRank().isPresent()) {
      flags.add(AT_BREAKPOINTS);
    }
    flags.addAll(job.jvmFlags());
    if (ranks.contains(job.options().debugRank().orElse(-1))) {
      // the JVM says itself at which port it waits
      flags.add("-agentlib:jdwp=transport=dt_socket,server=y,suspend=y,address=127.0.0.1:0");
    }
    return flags;
  }
}
