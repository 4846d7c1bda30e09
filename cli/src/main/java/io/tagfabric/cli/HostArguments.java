package io.tagfabric.cli;

import io.tagfabric.cluster.host.LaunchSettings;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.launch.hosts.Host;
import io.tagfabric.launch.hosts.HostList;
import io.tagfabric.launch.hosts.HostPlan;
import io.tagfabric.launch.hosts.Placement;
import io.tagfabric.launch.hosts.Spawner;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What the command line says about hosts.
 *
 * @param list of hosts, as text
 * @param file of hosts
 * @param count of hosts that are wanted
 * @param spawner before what settings say
 * @param ssh before what settings say
 */
record HostArguments(
    Optional<String> list,
    Optional<Path> file,
    Optional<Integer> count,
    Optional<String> spawner,
    Optional<String> ssh,
    Placement placement) {
  private static final String LOCAL = "local";

  /**
   * The hosts of the job, empty if it runs as children of the launcher.
   *
   * @throws UsageException if arguments do not fit each other
   * @throws io.tagfabric.cluster.settings.SettingsException if one is refused
   */
  Optional<HostPlan> plan(Settings settings) {
    String how = spawner.orElseGet(() -> settings.get(LaunchSettings.SPAWNER)).strip();
    String sshCommand = ssh.orElseGet(() -> settings.get(LaunchSettings.SSH));
    if (!how.isEmpty()) {
      Spawner.parse(how, sshCommand);
    }
    if (list.isPresent() && file.isPresent()) {
      throw new UsageException("--hosts and --hostfile both name hosts, give one of them");
    }
    if (list.isEmpty() && file.isEmpty() && count.isEmpty()) {
      if (spawner.isPresent() && !how.equals(LOCAL)) {
        throw new UsageException("--spawner=" + how + " needs hosts, name them by --hosts");
      }
      return Optional.empty();
    }
    Spawner chosen = Spawner.parse(how.isEmpty() ? "ssh" : how, sshCommand);
    HostPlan all = new HostPlan(hosts(how), placement, chosen);
    return Optional.of(count.map(all::first).orElse(all).resolved());
  }

  private List<Host> hosts(String how) {
    if (list.isPresent()) {
      return HostList.ofOption(list.get());
    }
    if (file.isPresent()) {
      return HostList.ofFile(file.get());
    }
    int wanted = count.orElseThrow();
    if (!how.equals(LOCAL)) {
      throw new UsageException(
          "-N="
              + wanted
              + " names no hosts, give them by --hosts or --hostfile; --spawner local takes"
              + " addresses of this machine");
    }
    if (wanted < 1) {
      throw new UsageException("-N: hosts=" + wanted + " < 1");
    }
    return HostList.loopback(wanted);
  }
}
