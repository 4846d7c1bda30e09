package io.tagfabric.collective.run;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.collective.algorithm.Hosts;
import io.tagfabric.fabric.Domain;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.stream.IntStream;
import org.agrona.collections.Int2IntHashMap;

/**
 * The members of a team as a domain sees them: their order, how each is reached, and where it is.
 * Members of one team in one domain share it, so that thousands of them do not each hold thousands
 * of entries. Immutable.
 */
final class MemberTable {
  private record Identity(long incarnation, int endpoint) {
    static Identity of(EndpointAddress address) {
      return new Identity(address.incarnation(), address.endpoint());
    }
  }

  /** The last table of each domain. */
  private static final Map<Domain, WeakReference<MemberTable>> LAST = new WeakHashMap<>();

  private final List<EndpointAddress> addresses;
  private final Map<Identity, Integer> places = new HashMap<>();
  private final int[] peers;
  private final Int2IntHashMap ranks = new Int2IntHashMap(-1);
  private final Hosts hosts;
  private final boolean shareVm;
  private final MemberIdentities identities;
  private final List<Integer> everybody;
  private final boolean shareSystem;

  /** By which number each tells the team apart; null if all have the same. */
  private final int[] numbers;

  /** The last one; whoever uses its table keeps that, and nobody else needs to. */
  private WeakReference<Shrinking> lastShrinking;

  private MemberTable(Domain domain, List<EndpointAddress> all, Hosts hosts, int[] numbers) {
    this.numbers = numbers;
    addresses = List.copyOf(all);
    for (int i = 0; i < addresses.size(); i++) {
      EndpointAddress address = addresses.get(i);
      Integer before = places.put(Identity.of(address), i);
      if (before != null) {
        throw new IllegalArgumentException(
            "members " + before + " and " + i + " are both [" + address + "], name each once");
      }
    }
    identities = MemberIdentities.of(addresses);
    everybody = IntStream.range(0, addresses.size()).boxed().toList();
    peers = domain.addressVector().insertAll(addresses);
    for (int member = 0; member < peers.length; member++) {
      ranks.put(peers[member], member);
    }
    this.hosts = hosts;
    shareVm = addresses.stream().map(EndpointAddress::vm).distinct().count() <= 1;
    shareSystem =
        addresses.stream().mapToLong(EndpointAddress::incarnation).distinct().count() <= 1;
  }

  /**
   * The table of a team; one that another member has made if the addresses are the same objects.
   *
   * @param hosts on which host each member is; null to go by the addresses of the nodes
   * @param numbers by which number each member tells the team apart; null if all have the same
   * @throws IllegalArgumentException if a member is there twice
   */
  static MemberTable of(
      Domain domain, List<EndpointAddress> addresses, Hosts hosts, int[] numbers) {
    synchronized (LAST) {
      WeakReference<MemberTable> known = LAST.get(domain);
      MemberTable last = known == null ? null : known.get();
      if (last != null
          && last.isOf(addresses)
          && Arrays.equals(numbers, last.numbers)
          && (hosts == null || hosts.equals(last.hosts))) {
        return last;
      }
      MemberTable made =
          new MemberTable(domain, addresses, hosts == null ? hostsOf(addresses) : hosts, numbers);
      LAST.put(domain, new WeakReference<>(made));
      return made;
    }
  }

  @SuppressWarnings("ReferenceEquality") // equal ones that are not the same cost a table, no more
  private boolean isOf(List<EndpointAddress> others) {
    if (others == addresses) {
      return true;
    }
    if (others.size() != addresses.size()) {
      return false;
    }
    for (int i = 0; i < others.size(); i++) {
      if (others.get(i) != addresses.get(i)) {
        return false;
      }
    }
    return true;
  }

  private static Hosts hostsOf(List<EndpointAddress> addresses) {
    return Hosts.of(addresses.stream().map(MemberTable::hostOf).toList());
  }

  /** A node that is not in a network is where its JVM is. */
  private static String hostOf(EndpointAddress address) {
    String node = address.node();
    int at = node.indexOf('@');
    return at < 0 ? address.vm() : node.substring(at + 1, Math.max(at + 1, node.lastIndexOf(':')));
  }

  int size() {
    return peers.length;
  }

  List<EndpointAddress> addresses() {
    return addresses;
  }

  /**
   * The place of an endpoint.
   *
   * @throws IllegalArgumentException if it is none of the members
   */
  int rankOf(EndpointAddress self) {
    Integer rank = places.get(Identity.of(self));
    if (rank == null) {
      throw new IllegalArgumentException(
          "endpoint [" + self + "] is not among the members " + addresses + ", add it everywhere");
    }
    return rank;
  }

  /** Null if all have the same. */
  int[] numbers() {
    return numbers;
  }

  int peer(int member) {
    return peers[member];
  }

  /** -1 if it is none. */
  int memberWith(int peer) {
    return ranks.get(peer);
  }

  Hosts hosts() {
    return hosts;
  }

  boolean shareVm() {
    return shareVm;
  }

  /** Whether all members are in one ActorSystem. */
  boolean shareSystem() {
    return shareSystem;
  }

  /** The ranks in order. */
  List<Integer> everybody() {
    return everybody;
  }

  MemberIdentities identities() {
    return identities;
  }

  /**
   * The table of those that are alive by an agreement; one that another member has made if it has
   * agreed on the same.
   */
  synchronized MemberTable surviving(Domain domain, Decision agreed) {
    Shrinking known = lastShrinking == null ? null : lastShrinking.get();
    if (known == null || !known.agreed.equals(agreed)) {
      MemberNumbers alive = agreed.numbers().without(agreed.lost());
      List<Integer> ranks = alive.members().stream().boxed().toList();
      int[] itsNumbers = alive.numbers();
      List<EndpointAddress> some = ranks.stream().map(addresses::get).toList();
      known = new Shrinking(agreed, of(domain, some, hosts.among(ranks), itsNumbers));
      lastShrinking = new WeakReference<>(known);
    }
    return known.table;
  }

  /** What was left by an agreement. */
  private record Shrinking(Decision agreed, MemberTable table) {}
}
