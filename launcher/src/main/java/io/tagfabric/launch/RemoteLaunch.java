package io.tagfabric.launch;

import io.tagfabric.cluster.host.LaunchException;
import io.tagfabric.cluster.host.LaunchSettings;
import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.cluster.job.JobSpec;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.launch.agent.AgentHello;
import io.tagfabric.launch.agent.AgentReady;
import io.tagfabric.launch.hosts.Host;
import io.tagfabric.launch.hosts.HostPlan;
import io.tagfabric.launch.hosts.ShellWords;
import io.tagfabric.launch.output.Screen;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** The way of a job to several hosts: their agents, and the settings of the ranks there. */
final class RemoteLaunch {
  private static final List<String> LOCALE = List.of("LC_ALL", "LC_CTYPE", "LANG");

  private final Settings settings;
  private final Map<String, String> environment;
  private final LocalJob job;
  private final UUID key;
  private final HostPlan plan;
  private final int[] hostOf;
  private Optional<TlsKeys> keys = Optional.empty();

  /**
   * @param environment of the launcher
   */
  RemoteLaunch(
      Settings settings,
      Map<String, String> environment,
      LocalJob job,
      UUID key,
      HostPlan plan,
      int[] hostOf) {
    this.settings = settings;
    this.environment = environment;
    this.job = job;
    this.key = key;
    this.plan = plan;
    this.hostOf = hostOf.clone();
  }

  /**
   * Starts the agents of all hosts together, and waits for them.
   *
   * @param screen shows what their connections complain of
   * @throws LaunchException if one does not come; none is left then
   */
  List<RemoteHost> start(Screen screen) {
    List<RemoteHost> hosts = new ArrayList<>();
    boolean complete = false;
    keys = TlsKeys.forJob(job, settings);
    try {
      for (int i = 0; i < plan.hosts().size(); i++) {
        Host host = plan.hosts().get(i);
        hosts.add(RemoteHost.start(host, plan.spawner(), line(), hello(i), screen));
      }
      Duration patience = settings.get(LaunchSettings.HOST_START_TIMEOUT);
      for (RemoteHost host : hosts) {
        host.awaitAgent(patience);
      }
      complete = true;
      return hosts;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new LaunchException("interrupted while the hosts started", interrupted);
    } finally {
      if (!complete) {
        RankHost.closeAll(hosts);
      }
    }
  }

  /** What each rank knows of the job. */
  List<JobSpec> specs(List<AgentReady> agents) {
    int[] used = new int[agents.size()];
    List<JobSpec> specs = new ArrayList<>();
    AgentReady seed = agents.get(hostOf[0]);
    for (int rank = 0; rank < job.size(); rank++) {
      int host = hostOf[rank];
      AgentReady agent = agents.get(host);
      specs.add(
          new JobSpec(
              key,
              rank,
              job.size(),
              plan.hosts().get(host).address(),
              agent.ports().get(used[host]++),
              plan.hosts().get(hostOf[0]).address(),
              seed.ports().get(0),
              agent.pid(),
              Optional.of(agent.aeronDirectory())
                  .filter(directory -> !directory.isEmpty())
                  .map(Path::of),
              job.profile()));
    }
    return specs;
  }

  /** What the ranks of each host get beside that. */
  List<Map<String, String>> variables(List<AgentReady> agents) {
    List<Map<String, String>> all = new ArrayList<>();
    for (AgentReady agent : agents) {
      Map<String, String> variables = new LinkedHashMap<>(exported());
      variables.put(JobSettings.HOST_DIRECTORY.variable(), agent.directory());
      keys.ifPresent(store -> variables.putAll(store.variables(agent.jobDirectory())));
      all.add(variables);
    }
    return all;
  }

  /** What would start the agents and the ranks; what hosts choose themselves shows as words. */
  List<String> dryLines() {
    List<AgentReady> agents = new ArrayList<>();
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < plan.hosts().size(); i++) {
      Host host = plan.hosts().get(i);
      lines.add(host.name() + ": " + plan.spawner().shown(host, line()));
      List<Integer> ports = new ArrayList<>();
      for (int n = 0; n < hello(i).ranks(); n++) {
        ports.add(1);
      }
      agents.add(new AgentReady(0, ports, "(its directory)", "", "(its media driver)"));
    }
    for (RankCommand command :
        new RankCommands(job, environment, hostOf).of(specs(agents), variables(agents))) {
      Map<String, String> shown = new LinkedHashMap<>(command.variables());
      shown.put(JobSettings.PORT.variable(), "(a free port)");
      shown.put(JobSettings.SEED_PORT.variable(), "(that of rank 0)");
      shown.put(JobSettings.LAUNCHER_PID.variable(), "(its agent)");
      lines.add(
          "  on "
              + plan.hosts().get(command.host()).name()
              + ": "
              + new RankCommand(
                      command.rank(), command.host(), command.words(), shown, command.directory())
                  .shellLine());
    }
    return lines;
  }

  /** Absolute, since the agent may have another working directory than this process. */
  private String directory() {
    String chosen = settings.get(LaunchSettings.DIRECTORY);
    return chosen.isBlank() ? chosen : Path.of(chosen).toAbsolutePath().toString();
  }

  private Map<String, String> exported() {
    return job.options().exports().select(environment);
  }

  private AgentHello hello(int host) {
    return new AgentHello(
        key,
        job.profile(),
        plan.hosts().get(host).address(),
        Math.toIntExact(Arrays.stream(hostOf).filter(of -> of == host).count()),
        directory(),
        job.options().keep(),
        EndPatience.of(settings, job.size()).afterSigterm().toMillis(),
        settings.get(LaunchSettings.HOST_TIMEOUT).toMillis(),
        exported(),
        keys.map(TlsKeys::store).orElse(""),
        job.files());
  }

  /**
   * For a shell on the host: in the same directory, with the same Java and class path. If ranks get
   * a directory of their own, the host need not have this one.
   */
  private String line() {
    List<String> words = new ArrayList<>(List.of("exec", "env"));
    for (String name : LOCALE) {
      // arguments of ranks keep their letters only if Java there knows the same ones
      Optional.ofNullable(environment.get(name)).ifPresent(value -> words.add(name + "=" + value));
    }
    List<String> flags = List.of("-Xmx64m", "-XX:TieredStopAtLevel=1");
    words.addAll(JavaCommand.of(environment, flags, HostAgent.class.getName(), List.of()));
    Path here = Path.of(job.files().directory().isPresent() ? "/" : "").toAbsolutePath();
    return "cd " + ShellWords.quote(here.toString()) + " && " + ShellWords.line(words);
  }
}
