package io.tagfabric.launch;

import io.tagfabric.cluster.host.HostDirectory;
import io.tagfabric.cluster.host.JobDirectory;
import io.tagfabric.cluster.host.LaunchException;
import io.tagfabric.cluster.host.LaunchSettings;
import io.tagfabric.cluster.host.LauncherWatch;
import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.cluster.job.ExitSettings;
import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.cluster.job.JobSpec;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.cluster.settings.SettingsException;
import io.tagfabric.launch.agent.AgentReady;
import io.tagfabric.launch.agent.ProgramFiles;
import io.tagfabric.launch.hosts.HostPlan;
import io.tagfabric.launch.output.Screen;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Starts the ranks of a job on this host or several, shows what they print, and ends with their
 * exit code.
 *
 * <p>All ranks start at once: a rank that is up before rank 0 tries again every half second, which
 * costs less than waiting for rank 0's JVM. No process, directory or port outlives the job, however
 * it ends; if the launcher itself is killed, the ranks notice (see {@link LauncherWatch}) and the
 * media driver follows them.
 */
public final class JobLauncher {
  private static final List<Map<String, String>> NO_VARIABLES = List.of(Map.of());

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
   * @return 0 if all ranks ended with 0 and what they have printed was taken, else the code of the
   *     rank that failed first, {@link ExitCode#TIMEOUT}, or {@link ExitCode#OUTPUT_LOST}
   * @throws SettingsException if there are too few or too many ranks, or a host lacks files of the
   *     program
   * @throws LaunchException if the job could not be started; nothing of it is left then
   */
  public int run(LocalJob job) {
    requireRanks(job.size());
    ExitSettings.timeout(settings, job.size());
    UUID key = UUID.randomUUID();
    int[] hostOf =
        job.options().hosts().map(plan -> plan.place(job.size())).orElse(new int[job.size()]);
    requireRoom(hostOf, job.options().hosts());
    requireOneHost(job);
    if (job.options().hosts().isEmpty()) {
      requireFiles(job.files());
    }
    // a host that gets no rank needs no agent; those that get some come first
    int used = Arrays.stream(hostOf).max().orElseThrow() + 1;
    Optional<RemoteLaunch> remote =
        job.options()
            .hosts()
            .map(
                plan ->
                    new RemoteLaunch(settings, environment, job, key, plan.first(used), hostOf));
    RankCommands commands = new RankCommands(job, environment, hostOf);
    if (job.options().dryRun()) {
      print(
          remote
              .map(RemoteLaunch::dryLines)
              .orElseGet(
                  () ->
                      commands.of(localSpecs(job, key, Optional.empty()), NO_VARIABLES).stream()
                          .map(RankCommand::shellLine)
                          .distinct()
                          .toList()));
      return ExitCode.OK;
    }
    Screen screen = new Screen(out, err);
    try {
      return remote.isPresent()
          ? runOnHosts(job, remote.get(), commands, screen)
          : runHere(job, key, commands, screen);
    } finally {
      screen.close();
    }
  }

  private int runHere(LocalJob job, UUID key, RankCommands commands, Screen screen) {
    HostDirectory directory = HostDirectory.choose(settings);
    JobResources resources =
        JobResources.acquire(
            directory, key, job.profile(), InetAddress.getLoopbackAddress(), environment);
    List<RankHost> hosts = List.of(new LocalHost(resources, false, job.options().keep()));
    Path files = resources.directory().path();
    return follow(
        job,
        hosts,
        () ->
            commands.of(
                localSpecs(job, key, resources.driver()),
                List.of(hostVariables(job, directory, resources))),
        List.of(files.toString()),
        screen);
  }

  /** What ranks of this host get to know: where its files are, and the keys made for them. */
  private Map<String, String> hostVariables(
      LocalJob job, HostDirectory host, JobResources resources) {
    Map<String, String> variables = new LinkedHashMap<>();
    variables.put(JobSettings.HOST_DIRECTORY.variable(), host.path().toString());
    JobDirectory directory = resources.directory();
    TlsKeys.forJob(job, settings)
        .ifPresent(
            keys -> {
              directory.writeKeys(TlsKeys.bytes(keys.store()));
              variables.putAll(keys.variables(directory.path().toString()));
            });
    return variables;
  }

  private int runOnHosts(LocalJob job, RemoteLaunch remote, RankCommands commands, Screen screen) {
    List<RemoteHost> hosts = remote.start(screen);
    List<AgentReady> agents = hosts.stream().map(RemoteHost::agent).toList();
    if (job.verbose()) {
      hosts.forEach(host -> screen.say("host " + host.name() + ": " + host.command()));
    }
    List<String> kept = new ArrayList<>();
    for (RemoteHost host : hosts) {
      kept.add(host.agent().jobDirectory() + host.suffix());
    }
    return follow(
        job,
        hosts,
        () -> commands.of(remote.specs(agents), remote.variables(agents)),
        kept,
        screen);
  }

  private int follow(
      LocalJob job,
      List<? extends RankHost> hosts,
      Supplier<List<RankCommand>> commands,
      List<String> files,
      Screen screen) {
    JobMonitor monitor = null;
    try {
      monitor = new JobMonitor(settings, job, List.copyOf(hosts), screen);
      monitor.startAll(commands.get());
      return monitor.watch();
    } finally {
      RankHost.closeAll(hosts);
      if (job.options().keep()) {
        screen.say("the job's files are kept in " + String.join(" and ", files));
      }
      if (monitor != null) {
        monitor.finished();
      }
    }
  }

  private static void requireRanks(int size) {
    if (size < 1) {
      throw new SettingsException(
          LaunchSettings.MAX_RANKS.fullKey(),
          "ranks=" + size + " < 1, a job has at least one rank");
    }
  }

  private static void requireOneHost(LocalJob job) {
    int together = job.options().ranksPerJvm();
    if (together < 1 || (together > 1 && job.options().hosts().isPresent())) {
      throw new SettingsException(
          "--ranks-per-jvm",
          together < 1
              ? "ranks per JVM=" + together + " < 1, a JVM has at least one rank"
              : "ranks share a JVM on this host only, leave out --hosts or --ranks-per-jvm");
    }
  }

  private static void requireFiles(ProgramFiles files) {
    files
        .missing()
        .ifPresent(
            what -> {
              throw new SettingsException("--class-path", what + ", check the name");
            });
  }

  private void requireRoom(int[] hostOf, Optional<HostPlan> plan) {
    int most = settings.get(LaunchSettings.MAX_RANKS);
    String key = LaunchSettings.MAX_RANKS.fullKey();
    for (int host : Arrays.stream(hostOf).distinct().toArray()) {
      long ranks = Arrays.stream(hostOf).filter(other -> other == host).count();
      if (ranks > most) {
        throw new SettingsException(
            key,
            plan.map(hosts -> "host " + hosts.hosts().get(host).name() + ": ").orElse("")
                + "ranks="
                + ranks
                + " > "
                + key
                + "="
                + most
                + ", start fewer or raise it by "
                + LaunchSettings.MAX_RANKS.variable());
      }
    }
  }

  private void print(List<String> lines) {
    PrintStream text = new PrintStream(out, true, StandardCharsets.UTF_8);
    lines.forEach(text::println);
  }

  private static List<JobSpec> localSpecs(
      LocalJob job, UUID key, Optional<MediaDriverProcess> driver) {
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
