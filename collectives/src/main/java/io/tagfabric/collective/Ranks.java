package io.tagfabric.collective;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * An ordered group of ranks of one team, each at most once: what a new team is made of. A value;
 * nothing is sent to make one.
 *
 * @param list the ranks of the team, in the order of the group
 * @source MPI-4.1 §7.3 (groups)
 */
public record Ranks(List<Integer> list) {
  /**
   * Checks the ranks.
   *
   * @throws IllegalArgumentException if one is negative or there twice
   */
  public Ranks {
    list = List.copyOf(list);
    Set<Integer> seen = new LinkedHashSet<>();
    for (int rank : list) {
      if (rank < 0) {
        throw new IllegalArgumentException("rank=" + rank + " < 0, name ranks of the team");
      }
      if (!seen.add(rank)) {
        throw new IllegalArgumentException("rank=" + rank + " is there twice, name each once");
      }
    }
  }

  /** These, in this order. */
  public static Ranks of(int... ranks) {
    return new Ranks(IntStream.of(ranks).boxed().toList());
  }

  /** From one rank up to another, without that. */
  public static Ranks range(int from, int end) {
    return new Ranks(IntStream.range(from, end).boxed().toList());
  }

  /** How many there are. */
  public int size() {
    return list.size();
  }

  /** Whether a rank is in it. */
  public boolean contains(int rank) {
    return list.contains(rank);
  }

  /** The place of a rank in the group, -1 if it is not in it. */
  public int placeOf(int rank) {
    return list.indexOf(rank);
  }

  /** These, then those of the other group that are not here, in its order. */
  public Ranks union(Ranks other) {
    Set<Integer> all = new LinkedHashSet<>(list);
    all.addAll(other.list);
    return new Ranks(List.copyOf(all));
  }

  /** Those that are in the other group too, in this order. */
  public Ranks intersection(Ranks other) {
    return new Ranks(list.stream().filter(other.list::contains).toList());
  }

  /** Those that are not in the other group, in this order. */
  public Ranks difference(Ranks other) {
    return new Ranks(list.stream().filter(rank -> !other.list.contains(rank)).toList());
  }

  /** The other way round. */
  public Ranks reversed() {
    List<Integer> reversed = new ArrayList<>(list);
    Collections.reverse(reversed);
    return new Ranks(reversed);
  }

  /**
   * The places in another group of some places of this one, -1 for a rank that is not there.
   *
   * @source MPI-4.1 §7.3.2 (MPI_Group_translate_ranks)
   */
  public List<Integer> translate(List<Integer> places, Ranks other) {
    return places.stream().map(place -> other.placeOf(list.get(place))).toList();
  }
}
