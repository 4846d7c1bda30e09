package io.tagfabric.collective;

import io.tagfabric.collective.algorithm.Edges;
import io.tagfabric.collective.run.CollectiveCall;
import io.tagfabric.collective.run.CollectiveCompletion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * A team whose members are the points of a grid, the last coordinate running fastest. Where a
 * dimension is periodic the grid closes to a ring. Thread: as the team.
 *
 * @source MPI-4.1 §8.5 (Cartesian topologies)
 */
public final class CartesianTeam implements TeamCollectives, AutoCloseable {
  /** Stands for the rank beyond the edge of a grid that is not periodic. */
  public static final int NOBODY = -1;

  private final Team team;
  private final int[] lengths;
  private final boolean[] periodic;

  CartesianTeam(Team team, int[] lengths, boolean[] periodic) {
    this.team = team;
    this.lengths = lengths.clone();
    this.periodic = periodic.clone();
  }

  /**
   * The points of a grid.
   *
   * @throws IllegalArgumentException if a length is below 1, or there is not one flag for each
   */
  static int points(int[] lengths, boolean[] periodic) {
    if (lengths.length != periodic.length) {
      throw new IllegalArgumentException(
          "lengths="
              + lengths.length
              + " is not periodic="
              + periodic.length
              + ", name one for each dimension");
    }
    long points = 1;
    for (int length : lengths) {
      if (length < 1) {
        throw new IllegalArgumentException(
            "length=" + length + " < 1 in " + Arrays.toString(lengths) + ", a grid has points");
      }
      points *= length;
      if (points > Integer.MAX_VALUE) {
        throw new IllegalArgumentException(
            "lengths="
                + Arrays.toString(lengths)
                + " give more than "
                + Integer.MAX_VALUE
                + " points, make the grid smaller");
      }
    }
    return (int) points;
  }

  /**
   * Lengths of a grid with so many points that are as equal as can be, the longest first.
   *
   * @param points how many, at least 1
   * @param dimensions how many, at least 1
   * @source MPI-4.1 §8.5.2 (MPI_Dims_create)
   */
  public static int[] balanced(int points, int dimensions) {
    if (points < 1 || dimensions < 1) {
      throw new IllegalArgumentException(
          "points=" + points + " and dimensions=" + dimensions + " must be at least 1");
    }
    int[] lengths = new int[dimensions];
    Arrays.fill(lengths, 1);
    List<Integer> primes = new ArrayList<>();
    int rest = points;
    for (int prime = 2; prime <= rest; prime++) {
      while (rest % prime == 0) {
        primes.add(0, prime);
        rest /= prime;
      }
    }
    for (int prime : primes) {
      Arrays.sort(lengths);
      lengths[0] *= prime;
    }
    Arrays.sort(lengths);
    for (int i = 0; i < dimensions / 2; i++) {
      int last = lengths[dimensions - 1 - i];
      lengths[dimensions - 1 - i] = lengths[i];
      lengths[i] = last;
    }
    return lengths;
  }

  /** The team itself, whose ranks are these. */
  public Team team() {
    return team;
  }

  /** This member's rank. */
  public int rank() {
    return team.rank();
  }

  /** Number of members. */
  public int size() {
    return team.size();
  }

  /** Lengths of the dimensions. */
  public int[] lengths() {
    return lengths.clone();
  }

  /** Where this member is. */
  public int[] coordinates() {
    return coordinates(rank());
  }

  /** Where a member is. */
  public int[] coordinates(int rank) {
    if (rank < 0 || rank >= size()) {
      throw new IllegalArgumentException(
          "rank=" + rank + " is outside 0.." + (size() - 1) + ", name a rank of the grid");
    }
    int[] coordinates = new int[lengths.length];
    int rest = rank;
    for (int dimension = lengths.length - 1; dimension >= 0; dimension--) {
      coordinates[dimension] = rest % lengths[dimension];
      rest /= lengths[dimension];
    }
    return coordinates;
  }

  /**
   * The member at a point; {@link #NOBODY} if it lies beyond an edge.
   *
   * @throws IllegalArgumentException if there is not one coordinate for each dimension
   */
  public int rankAt(int... coordinates) {
    if (coordinates.length != lengths.length) {
      throw new IllegalArgumentException(
          "coordinates="
              + coordinates.length
              + " is not dimensions="
              + lengths.length
              + ", name one for each");
    }
    int rank = 0;
    for (int dimension = 0; dimension < lengths.length; dimension++) {
      int place = coordinates[dimension];
      if (periodic[dimension]) {
        place = Math.floorMod(place, lengths[dimension]);
      } else if (place < 0 || place >= lengths[dimension]) {
        return NOBODY;
      }
      rank = rank * lengths[dimension] + place;
    }
    return rank;
  }

  /**
   * The member some steps further in a dimension; {@link #NOBODY} beyond an edge.
   *
   * @source MPI-4.1 §8.5.6 (MPI_Cart_shift)
   */
  public int neighbour(int dimension, int steps) {
    int[] coordinates = coordinates();
    coordinates[dimension] += steps;
    return rankAt(coordinates);
  }

  /** The neighbours one step away: of each dimension the one before, then the one behind. */
  public Edges neighbours() {
    List<Integer> sources = new ArrayList<>();
    List<Integer> destinations = new ArrayList<>();
    for (int dimension = 0; dimension < lengths.length; dimension++) {
      int before = neighbour(dimension, -1);
      int behind = neighbour(dimension, 1);
      // In a ring of two both are the same member: what it sends behind comes from before.
      addIfSomebody(sources, before);
      addIfSomebody(sources, behind);
      addIfSomebody(destinations, behind);
      addIfSomebody(destinations, before);
    }
    return new Edges(destinations, sources);
  }

  private static void addIfSomebody(List<Integer> ranks, int rank) {
    if (rank != NOBODY) {
      ranks.add(rank);
    }
  }

  /**
   * Teams of the members that differ in some dimensions only: rows, columns, planes. All members
   * call it.
   *
   * @param keeps for each dimension whether it is one of the new grid
   * @source MPI-4.1 §8.5.7 (MPI_Cart_sub)
   */
  public CompletionStage<CartesianTeam> sub(boolean... keeps) {
    if (keeps.length != lengths.length) {
      throw new IllegalArgumentException(
          "keeps=" + keeps.length + " is not dimensions=" + lengths.length + ", say it for each");
    }
    int[] coordinates = coordinates();
    int color = 0;
    List<Integer> kept = new ArrayList<>();
    for (int dimension = 0; dimension < lengths.length; dimension++) {
      if (keeps[dimension]) {
        kept.add(dimension);
      } else {
        color = color * lengths[dimension] + coordinates[dimension];
      }
    }
    int[] shorter = kept.stream().mapToInt(dimension -> lengths[dimension]).toArray();
    boolean[] rings = new boolean[shorter.length];
    for (int i = 0; i < rings.length; i++) {
      rings[i] = periodic[kept.get(i)];
    }
    return team.split(color, rank()).thenApply(part -> new CartesianTeam(part, shorter, rings));
  }

  @Override
  public CompletionStage<CollectiveCompletion> start(CollectiveCall call) {
    return team.start(call);
  }

  /** Closes the team. */
  @Override
  public void close() {
    team.close();
  }

  @Override
  public String toString() {
    return "CartesianTeam" + Arrays.toString(lengths) + " " + team;
  }
}
