package io.tagfabric.collective.run;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.annotation.InternalApi;
import io.tagfabric.collective.algorithm.Hosts;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.fabric.Domain;
import java.util.List;

/**
 * The members of a team as one of them sees them: their order, and by which index of the domain's
 * address vector each is reached. Immutable.
 */
@InternalApi
public final class Members {
  private final Domain domain;
  private final Endpoint endpoint;
  private final int context;
  private final MemberTable table;
  private final int rank;

  /**
   * Makes the peers known to the domain.
   *
   * @param endpoint this member's
   * @param addresses all members in order
   * @param hosts on which host each is, equal at all members; null to go by the addresses of their
   *     nodes
   * @param context tells teams apart that share endpoints
   * @throws IllegalArgumentException if the endpoint is not of the domain or not among the members,
   *     or a member is there twice
   */
  public Members(
      Domain domain, Endpoint endpoint, List<EndpointAddress> addresses, Hosts hosts, int context) {
    if (hosts != null && hosts.size() != addresses.size()) {
      throw new IllegalArgumentException(
          "hosts=" + hosts.size() + " is not members=" + addresses.size() + ", name one for each");
    }
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
    this.table = MemberTable.of(domain, addresses, hosts);
    this.rank = table.rankOf(endpoint.address());
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
    return table.size();
  }

  /** All members in order. */
  public List<EndpointAddress> addresses() {
    return table.addresses();
  }

  /** Index of a member in the domain's address vector. */
  public int peer(int member) {
    return table.peer(member);
  }

  /** The member with an index in the domain's address vector, -1 if it is none. */
  public int memberWith(int peer) {
    return table.memberWith(peer);
  }

  /** Whether a member is in another ActorSystem than this one. */
  boolean isRemote(int member) {
    return addresses().get(member).incarnation() != addresses().get(rank).incarnation();
  }

  /** Whether all members are in this JVM. */
  boolean shareVm() {
    return table.shareVm();
  }

  /** On which host each member is. */
  public Hosts hosts() {
    return table.hosts();
  }

  /** What the members are, wherever they are looked at from; equal for all of a team. */
  List<Long> identities() {
    return table.identities();
  }

  /** A member for people. */
  String named(int member) {
    return "rank " + member + " [" + addresses().get(member) + "]";
  }

  @Override
  public String toString() {
    return "team " + context + " rank " + rank + " of " + size();
  }
}
