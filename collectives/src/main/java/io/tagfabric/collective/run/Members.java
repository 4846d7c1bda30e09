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
  private final TeamNumbers numbers;
  private final int number;

  private Members(Domain domain, Endpoint endpoint, MemberTable table, int context, int number) {
    this.domain = domain;
    this.endpoint = endpoint;
    this.table = table;
    this.rank = table.rankOf(endpoint.address());
    this.context = context;
    this.numbers = TeamNumbers.of(endpoint);
    this.number = number;
  }

  /**
   * The members of a team that a program names. Makes the peers known to the domain.
   *
   * @param endpoint this member's
   * @param addresses all members in order
   * @param hosts on which host each is, equal at all members; null to go by the addresses of their
   *     nodes
   * @param context tells teams apart that share endpoints
   * @throws IllegalArgumentException if the endpoint is not of the domain or not among the members,
   *     a member is there twice, or the context is none or in use
   */
  public static Members named(
      Domain domain, Endpoint endpoint, List<EndpointAddress> addresses, Hosts hosts, int context) {
    if (hosts != null && hosts.size() != addresses.size()) {
      throw new IllegalArgumentException(
          "hosts=" + hosts.size() + " is not members=" + addresses.size() + ", name one for each");
    }
    requireOf(domain, endpoint);
    MemberTable table = MemberTable.of(domain, addresses, hosts, null);
    table.rankOf(endpoint.address());
    int number = TeamNumbers.of(endpoint).open(context, table.identities());
    return new Members(domain, endpoint, table, context, number);
  }

  private static void requireOf(Domain domain, Endpoint endpoint) {
    if (!domain.has(endpoint)) {
      throw new IllegalArgumentException(
          "endpoint ["
              + endpoint.address()
              + "] is not of domain ["
              + domain.name()
              + "], pass the domain that opened it");
    }
  }

  /**
   * Some of these members as a team of their own.
   *
   * @param ranks in the new order, this one among them
   * @param itsNumbers by which each of them tells the new team apart
   */
  public Members among(List<Integer> ranks, int[] itsNumbers) {
    List<EndpointAddress> addresses = ranks.stream().map(addresses()::get).toList();
    MemberTable some = MemberTable.of(domain, addresses, hosts().among(ranks), itsNumbers);
    return of(some);
  }

  /**
   * Those of these members that are alive, as a team of their own.
   *
   * @param agreed with a number of each of them
   */
  public Members surviving(Decision agreed) {
    return of(table.surviving(domain, agreed));
  }

  private Members of(MemberTable some) {
    int[] itsNumbers = some.numbers();
    int place = some.rankOf(endpoint.address());
    return new Members(domain, endpoint, some, itsNumbers[0], itsNumbers[place]);
  }

  /** The numbers of this member's endpoint. */
  public TeamNumbers numbers() {
    return numbers;
  }

  /** By which this member tells the team apart from its others. */
  public int number() {
    return number;
  }

  /** By which a member tells the team apart: messages to it carry this number. */
  public int numberAt(int member) {
    return table.numbers() == null ? number : table.numbers()[member];
  }

  public Domain domain() {
    return domain;
  }

  public Endpoint endpoint() {
    return endpoint;
  }

  /** The program's name for the team, or the number that rank 0 has given it. */
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

  /** Whether all members are in one ActorSystem. */
  boolean shareSystem() {
    return table.shareSystem();
  }

  /** The ranks in order. */
  List<Integer> everybody() {
    return table.everybody();
  }

  /** Whether all members are in this JVM. */
  boolean shareVm() {
    return table.shareVm();
  }

  /** On which host each member is. */
  public Hosts hosts() {
    return table.hosts();
  }

  /** The members on this one's host, in order. */
  int[] company() {
    return hosts().ranksOn(hosts().of(rank));
  }

  /** What the members are, wherever they are looked at from; equal for all of a team. */
  MemberIdentities identities() {
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
