package io.tagfabric.collective.algorithm;

import io.tagfabric.annotation.InternalApi;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * A rank's place in two levels: among the ranks of its host, one of which leads, and, if it leads,
 * among the leaders of all hosts. The lowest rank of a host leads; on the root's host the root
 * does, which saves a way. Immutable.
 */
@InternalApi
public final class Levels {
  private final int root;
  private final Hosts hosts;
  private final int host;
  private final int[] members;
  private final int[] leaders;
  private final int place;
  private final int leaderPlace;

  /** The place of a rank for calls with a root; 0 for calls without. */
  public Levels(Hosts hosts, int rank, int root) {
    this.root = root;
    this.hosts = hosts;
    this.host = hosts.of(rank);
    this.members = hosts.ranksOn(host);
    this.leaders =
        IntStream.range(0, hosts.count())
            .map(each -> each == hosts.of(root) ? root : hosts.ranksOn(each)[0])
            .toArray();
    this.place = Arrays.binarySearch(members, rank);
    this.leaderPlace = Arrays.binarySearch(members, leaders[host]);
  }

  /** The ranks of this host, in order. */
  public int[] members() {
    return members.clone();
  }

  /** The leaders, by host. */
  public int[] leaders() {
    return leaders.clone();
  }

  /** Whether this rank speaks for its host. */
  public boolean leads() {
    return place == leaderPlace;
  }

  /** Whether it shares its host with others. */
  public boolean hasCompany() {
    return members.length > 1;
  }

  /** A vector among the ranks of this host, to or from the one that leads. */
  public Shape within(int count) {
    return Shape.vector(place, members.length, leaderPlace, count);
  }

  /** A vector among the leaders, to or from the root's host; only for a leader. */
  public Shape between(int count) {
    return Shape.vector(host, leaders.length, hosts.of(root), count);
  }
}
