package io.tagfabric.launch.hosts;

import io.tagfabric.cluster.settings.SettingsException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The hosts of a job and how ranks come to them.
 *
 * @param hosts those that ranks may run on
 * @param placement which of them a rank runs on
 * @param spawner how a command gets to them
 */
public record HostPlan(List<Host> hosts, Placement placement, Spawner spawner) {
  public HostPlan {
    hosts = List.copyOf(hosts);
  }

  /** The index of the host of each rank. */
  public int[] place(int ranks) {
    return placement.place(ranks, hosts);
  }

  /** Only the first hosts, for so many are wanted. */
  public HostPlan first(int count) {
    if (count < 1 || count > hosts.size()) {
      throw new SettingsException(
          "-N", "-N: hosts=" + count + " are wanted, but hosts=" + hosts.size() + " are named");
    }
    return new HostPlan(hosts.subList(0, count), placement, spawner);
  }

  /**
   * The same with the numeric address of each host, as this machine resolves its name: the host
   * itself may know its name by a loopback address only. Thread: any; blocks for the resolution.
   *
   * @throws SettingsException if a name has no address, two have the same, or ranks of one host
   *     could not reach those of another
   */
  public HostPlan resolved() {
    List<Host> known = new ArrayList<>();
    Map<String, Host> byAddress = new HashMap<>();
    for (Host host : hosts) {
      Host at = host.at(resolve(host).getHostAddress());
      Host other = byAddress.put(at.address(), at);
      if (other != null) {
        throw refused(
            "hosts "
                + other.name()
                + " and "
                + at.name()
                + " have the same address="
                + at.address()
                + ", name one and give it slots");
      }
      known.add(at);
    }
    requireReach(known);
    return new HostPlan(known, placement, spawner);
  }

  private static void requireReach(List<Host> hosts) {
    Host near = null;
    Host far = null;
    for (Host host : hosts) {
      if (resolve(host).isLoopbackAddress()) {
        near = host;
      } else {
        far = host;
      }
    }
    if (near != null && far != null) {
      throw refused(
          "host "
              + near.name()
              + " has the loopback address="
              + near.address()
              + ", where host "
              + far.name()
              + " (address="
              + far.address()
              + ") cannot reach it; give it another name, or address=ADDRESS in a --hostfile");
    }
  }

  private static InetAddress resolve(Host host) {
    String name = host.address().isEmpty() ? host.bareName() : host.address();
    try {
      return InetAddress.getByName(name);
    } catch (UnknownHostException unknown) {
      throw refused(
          "host "
              + host.name()
              + " has no address here, check the name, or write address=ADDRESS behind it in a"
              + " --hostfile");
    }
  }

  private static SettingsException refused(String why) {
    return new SettingsException("--hosts", why);
  }
}
