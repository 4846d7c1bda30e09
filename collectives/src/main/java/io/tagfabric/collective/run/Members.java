package io.tagfabric.collective.run;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.fabric.Domain;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The members of a team as one of them sees them: their order, and by which index of the domain's
 * address vector each is reached. Immutable.
 */
public final class Members {
  private record Identity(long incarnation, int endpoint) {
    static Identity of(EndpointAddress address) {
      return new Identity(address.incarnation(), address.endpoint());
    }
  }

  private final Domain domain;
  private final Endpoint endpoint;
  private final int context;
  private final List<EndpointAddress> addresses;
  private final int[] peers;
  private final Map<Integer, Integer> ranks = new HashMap<>();
  private final int rank;

  /**
   * Makes the peers known to the domain.
   *
   * @param endpoint this member's
   * @param addresses all members in order
   * @param context tells teams apart that share endpoints
   * @throws IllegalArgumentException if the endpoint is not of the domain or not among the members,
   *     or a member is there twice
   */
  public Members(Domain domain, Endpoint endpoint, List<EndpointAddress> addresses, int context) {
    if (!domain.endpoints().contains(endpoint)) {
      throw new IllegalArgumentException(
          "endpoint ["
              + endpoint.address()
              + "] is not of domain ["
              + domain.name()
              + "], pass the domain that opened it");
    }
    CollectiveTags.control(context);
    this.domain = domain;
    this.endpoint = endpoint;
    this.context = context;
    this.addresses = List.copyOf(addresses);
    this.rank = rankOf(endpoint.address(), this.addresses);
    this.peers = domain.addressVector().insertAll(this.addresses);
    for (int member = 0; member < peers.length; member++) {
      ranks.put(peers[member], member);
    }
  }

  private static int rankOf(EndpointAddress self, List<EndpointAddress> addresses) {
    Map<Identity, Integer> places = new HashMap<>();
    for (int i = 0; i < addresses.size(); i++) {
      Integer before = places.put(Identity.of(addresses.get(i)), i);
      if (before != null) {
        throw new IllegalArgumentException(
            "members "
                + before
                + " and "
                + i
                + " are both ["
                + addresses.get(i)
                + "], name each once");
      }
    }
    Integer rank = places.get(Identity.of(self));
    if (rank == null) {
      throw new IllegalArgumentException(
          "endpoint [" + self + "] is not among the members " + addresses + ", add it everywhere");
    }
    return rank;
  }

  public Domain domain() {
    return domain;
  }

  public Endpoint endpoint() {
    return endpoint;
  }

  /** Tells teams apart that share endpoints. */
  public int context() {
    return context;
  }

  /** This member's place, from 0. */
  public int rank() {
    return rank;
  }

  /** How many there are. */
  public int size() {
    return peers.length;
  }

  /** All members in order. */
  public List<EndpointAddress> addresses() {
    return addresses;
  }

  /** Index of a member in the domain's address vector. */
  public int peer(int member) {
    return peers[member];
  }

  /** The member with an index in the domain's address vector, -1 if it is none. */
  public int memberWith(int peer) {
    return ranks.getOrDefault(peer, -1);
  }

  /** Whether a member is in another ActorSystem than this one. */
  boolean isRemote(int member) {
    return addresses.get(member).incarnation() != addresses.get(rank).incarnation();
  }

  /** Whether all members are in this JVM. */
  boolean shareVm() {
    String vm = endpoint.address().vm();
    return addresses.stream().allMatch(address -> address.vm().equals(vm));
  }

  /** Whether all members are on this host, as far as their nodes' addresses tell. */
  boolean shareHost() {
    return shareVm() || hosts().stream().distinct().count() == 1;
  }

  /** The host of each member, by the address of its node. */
  private List<String> hosts() {
    return addresses.stream().map(address -> hostOf(address.node())).toList();
  }

  private static String hostOf(String node) {
    int at = node.indexOf('@');
    return at < 0 ? node : node.substring(at + 1, Math.max(at + 1, node.lastIndexOf(':')));
  }

  /** A member for people. */
  String named(int member) {
    return "rank " + member + " [" + addresses.get(member) + "]";
  }

  @Override
  public String toString() {
    return "team " + context + " rank " + rank + " of " + size();
  }
}
