package io.tagfabric.cluster.launch;

import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.cluster.job.ExitSettings;
import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.cluster.job.JobSpec;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.cluster.settings.SettingsException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Starts the ranks of a job on this host, shows what they print, and ends with their exit code.
 *
 * <p>All ranks start at once: a rank that is up before rank 0 tries again every half second, which
 * costs less than waiting for rank 0's JVM. No process, directory or port outlives the job, however
 * it ends; if the launcher itself is killed, the ranks notice (see {@link LauncherWatch}) and the
 * media driver follows them.
 */
public final class JobLauncher {
  private final Settings settings;
  private final Map<String, String> environment;
  private final OutputStream out;
  private final OutputStream err;

  /**
   * @param environment variables of this process; ranks get them too
   * @param out gets what the ranks print, each line behind its rank
   * @param err gets their errors, and what the launcher has to say
   */
  public JobLauncher(
      Settings settings, Map<String, String> environment, OutputStream out, OutputStream err) {
    this.settings = settings;
    this.environment = Map.copyOf(environment);
    this.out = out;
    this.err = err;
  }

  /**
   * Runs a job to its end. Call it once at a time in a process that does nothing else: while it
   * runs, SIGINT and SIGTERM of this process end the ranks.
   *
   * @return 0 if all ranks ended with 0, else the code of the rank that failed first, or {@link
   *     ExitCode#TIMEOUT}
   * @throws SettingsException if there are too few or too many ranks
   * @throws LaunchException if the job could not be started; nothing of it is left then
   */
  public int run(LocalJob job) {
    requireSize(job.size());
    ExitSettings.timeout(settings, job.size());
    UUID key = UUID.randomUUID();
    if (job.options().dryRun()) {
      print(commands(job, specs(job, key, Optional.empty())));
      return ExitCode.OK;
    }
    HostDirectory host = HostDirectory.locate(settings);
    JobMonitor monitor = null;
    try (JobResources resources = JobResources.acquire(host, key, job.profile(), environment)) {
      monitor = new JobMonitor(settings, job, resources, out, err);
      monitor.startAll(commands(job, specs(job, key, resources.driver())));
      return monitor.watch();
    } finally {
      if (monitor != null) {
        monitor.finished();
      }
    }
  }

  private void requireSize(int size) {
    int most = settings.get(LaunchSettings.MAX_RANKS);
    String key = LaunchSettings.MAX_RANKS.fullKey();
    if (size < 1) {
      throw new SettingsException(key, "ranks=" + size + " < 1, a job has at least one rank");
    }
    if (size > most) {
      throw new SettingsException(
          key,
          "ranks="
              + size
              + " > "
              + key
              + "="
              + most
              + ", start fewer or raise it by "
              + LaunchSettings.MAX_RANKS.variable());
    }
  }

  private void print(List<RankCommand> commands) {
    PrintStream text = new PrintStream(out, true, StandardCharsets.UTF_8);
    commands.forEach(command -> text.println(command.shellLine()));
  }

  private List<RankCommand> commands(LocalJob job, List<JobSpec> specs) {
    LaunchOptions options = job.options();
    List<RankCommand> commands = new ArrayList<>();
    for (JobSpec spec : specs) {
      Map<String, String> variables = new LinkedHashMap<>(spec.toEnvironment());
      options
          .onLoss()
          .ifPresent(
              policy ->
                  variables.put(
                      ExitSettings.ON_LOSS.variable(), ExitSettings.ON_LOSS.write(policy)));
      if (options.debugRank().isPresent()) {
        variables.put(JobSettings.START_TIMEOUT.variable(), "1 h");
      }
      variables.putAll(options.rankVariables().getOrDefault(spec.rank(), Map.of()));
      boolean debugged = options.debugRank().orElse(-1) == spec.rank();
      commands.add(new RankCommand(spec.rank(), command(job, debugged), variables));
    }
    return commands;
  }

  private List<String> command(LocalJob job, boolean debugged) {
    // Starting an ActorSystem takes a JVM 4 s of CPU, half of it to optimise code that runs once.
    // Four times the thresholds of the second compiler save more than 1 s a rank; a hot loop
    // passes them some milliseconds later.
    List<String> flags =
        new ArrayList<>(
            List.of(
                "-XX:Tier4InvocationThreshold=20000",
                "-XX:Tier4MinInvocationThreshold=3000",
                "-XX:Tier4CompileThreshold=60000"));
    // together the ranks may fill three quarters of the memory
    flags.add("-XX:MaxRAMPercentage=" + Math.min(25.0, 75.0 / job.size()));
    flags.addAll(job.jvmFlags());
    if (debugged) {
      // the JVM says itself at which port it waits
      flags.add("-agentlib:jdwp=transport=dt_socket,server=y,suspend=y,address=127.0.0.1:0");
    }
    return JavaCommand.of(environment, flags, job.mainClass(), job.arguments());
  }

  private static List<JobSpec> specs(LocalJob job, UUID key, Optional<MediaDriverProcess> driver) {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    String host = loopback.getHostAddress();
    List<Integer> ports = Ports.free(loopback, job.size());
    List<JobSpec> specs = new ArrayList<>();
    for (int rank = 0; rank < job.size(); rank++) {
      specs.add(
          new JobSpec(
              key,
              rank,
              job.size(),
              host,
              ports.get(rank),
              host,
              ports.get(0),
              ProcessHandle.current().pid(),
              driver.map(MediaDriverProcess::aeronDirectory),
              job.profile()));
    }
    return specs;
  }
}
