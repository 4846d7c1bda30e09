package io.tagfabric.launch;

import io.tagfabric.cluster.job.ExitSettings;
import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.cluster.job.JobSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Builds the commands of a job's ranks. */
final class RankCommands {
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
    List<RankCommand> commands = new ArrayList<>();
    for (JobSpec spec : specs) {
      int host = hostOf[spec.rank()];
      Map<String, String> variables = new LinkedHashMap<>(job.options().exports().assigned());
      variables.putAll(hostVariables.get(host));
      variables.putAll(spec.toEnvironment());
      putOptions(variables);
      variables.putAll(job.options().rankVariables().getOrDefault(spec.rank(), Map.of()));
      commands.add(
          new RankCommand(
              spec.rank(), host, words(spec.rank(), host), variables, job.files().directory()));
    }
    return commands;
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

  private List<String> words(int rank, int host) {
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
    long there = Arrays.stream(hostOf).filter(other -> other == host).count();
    flags.add("-XX:MaxRAMPercentage=" + Math.min(25.0, 75.0 / there));
    flags.addAll(job.jvmFlags());
    if (job.options().debugRank().orElse(-1) == rank) {
      // the JVM says itself at which port it waits
      flags.add("-agentlib:jdwp=transport=dt_socket,server=y,suspend=y,address=127.0.0.1:0");
    }
    return JavaCommand.of(
        environment, flags, job.files().classPath(), job.mainClass(), job.arguments());
  }
}
