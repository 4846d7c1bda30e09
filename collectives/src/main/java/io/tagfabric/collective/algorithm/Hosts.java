package io.tagfabric.collective.algorithm;

import io.tagfabric.annotation.InternalApi;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * On which host each rank of a team is. Hosts are numbered from 0 in the order of the lowest rank
 * on them. A value.
 */
@InternalApi
public final class Hosts {
  /** More are a crowd. */
  private static final int CROWD = 64;

  private final int[] hostOf;
  private final List<int[]> ranks;
  private final int most;

  private Hosts(int[] hostOf, int count) {
    this.hostOf = hostOf;
    this.ranks =
        IntStream.range(0, count)
            .mapToObj(
                host ->
                    IntStream.range(0, hostOf.length)
                        .filter(rank -> hostOf[rank] == host)
                        .toArray())
            .toList();
    this.most = ranks.stream().mapToInt(each -> each.length).max().orElse(0);
  }

  /**
   * The hosts of ranks in order.
   *
   * @param names what tells hosts apart: equal for ranks of one host
   */
  public static Hosts of(List<?> names) {
    Map<Object, Integer> numbers = new LinkedHashMap<>();
    int[] hostOf = new int[names.size()];
    for (int rank = 0; rank < hostOf.length; rank++) {
      hostOf[rank] = numbers.computeIfAbsent(names.get(rank), notUsed -> numbers.size());
    }
    return new Hosts(hostOf, numbers.size());
  }

  /** Each rank on a host of its own. */
  public static Hosts apart(int size) {
    return new Hosts(IntStream.range(0, size).toArray(), size);
  }

  /** The same for some of the ranks, in another order. */
  public Hosts among(List<Integer> some) {
    return of(some.stream().map(this::of).toList());
  }

  /** Number of ranks. */
  public int size() {
    return hostOf.length;
  }

  /** Number of hosts. */
  public int count() {
    return ranks.size();
  }

  /** The host of a rank. */
  public int of(int rank) {
    return hostOf[rank];
  }

  /** The ranks of a host, in order. */
  public int[] ranksOn(int host) {
    return ranks.get(host).clone();
  }

  /** Ranks of the host that has most. */
  public int most() {
    return most;
  }

  /** Whether there are several hosts, and several ranks on one of them. */
  public boolean isNested() {
    return count() > 1 && count() < size();
  }

  /**
   * Whether a host has more ranks than it can have cores for them, so that the sum of their work
   * counts and not how much of it is done one after the other.
   */
  public boolean areCrowded() {
    return most() > CROWD;
  }

  /** Whether the ranks of each host follow one another, so that hosts can be combined in order. */
  public boolean areIntervals() {
    return ranks.stream().allMatch(each -> each[each.length - 1] - each[0] == each.length - 1);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Hosts hosts && Arrays.equals(hostOf, hosts.hostOf);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(hostOf);
  }

  @Override
  public String toString() {
    return "Hosts" + Arrays.toString(hostOf);
  }
}
