package io.tagfabric.job;

import io.tagfabric.address.EndpointAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

/** The ranks of a job that has started: their endpoints and where they run. Immutable. */
public final class RankMap {
  private final List<EndpointAddress> addresses;
  private final List<String> hosts;
  private final List<String> processes;
  private final List<Locality> localities;
  private final int hostCount;

  private RankMap(
      List<EndpointAddress> addresses,
      List<String> hosts,
      List<String> processes,
      List<Locality> localities,
      int hostCount) {
    this.addresses = addresses;
    this.hosts = hosts;
    this.processes = processes;
    this.localities = localities;
    this.hostCount = hostCount;
  }

  /**
   * The map of ranks in order.
   *
   * @param hosts what identifies the host of each, equal for ranks of one host
   * @param processes what identifies the process of each, empty where that is not known
   * @throws IllegalArgumentException if there are not as many of each
   */
  static RankMap of(List<EndpointAddress> addresses, List<String> hosts, List<String> processes) {
    if (addresses.size() != hosts.size() || hosts.size() != processes.size()) {
      throw new IllegalArgumentException(
          "addresses="
              + addresses.size()
              + ", hosts="
              + hosts.size()
              + " and processes="
              + processes.size()
              + " are not as many");
    }
    Map<String, Integer> hostNumbers = new LinkedHashMap<>();
    Map<String, Integer> vmNumbers = new LinkedHashMap<>();
    List<Locality> localities = new ArrayList<>();
    for (int rank = 0; rank < addresses.size(); rank++) {
      localities.add(
          new Locality(
              number(hostNumbers, hosts.get(rank)), number(vmNumbers, addresses.get(rank).vm())));
    }
    return new RankMap(
        List.copyOf(addresses),
        List.copyOf(hosts),
        List.copyOf(processes),
        List.copyOf(localities),
        hostNumbers.size());
  }

  private static int number(Map<String, Integer> numbers, String name) {
    numbers.putIfAbsent(name, numbers.size());
    return numbers.get(name);
  }

  /** Number of ranks. */
  public int size() {
    return addresses.size();
  }

  /** Number of hosts they are on. */
  public int hosts() {
    return hostCount;
  }

  /** Where a rank's endpoint is. */
  public EndpointAddress address(int rank) {
    return addresses.get(rank);
  }

  /** Where a rank runs. */
  public Locality locality(int rank) {
    return localities.get(rank);
  }

  /** The ranks of a host, in order; the first is the one to speak for it. */
  public List<Integer> ranksOn(int host) {
    Objects.checkIndex(host, hostCount);
    return IntStream.range(0, size())
        .filter(rank -> localities.get(rank).host() == host)
        .boxed()
        .toList();
  }

  List<EndpointAddress> addresses() {
    return addresses;
  }

  List<String> hostNames() {
    return hosts;
  }

  List<String> processes() {
    return processes;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RankMap map
        && addresses.equals(map.addresses)
        && hosts.equals(map.hosts)
        && processes.equals(map.processes);
  }

  @Override
  public int hashCode() {
    return Objects.hash(addresses, hosts, processes);
  }

  @Override
  public String toString() {
    return "RankMap" + localities;
  }
}
