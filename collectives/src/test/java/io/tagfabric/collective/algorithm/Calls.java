package io.tagfabric.collective.algorithm;

import io.tagfabric.collective.schedule.Blocks;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** One collective as all ranks of a team call it. */
public record Calls(Algorithm algorithm, int size, int root, int count, IntFunction<Shape> shapes) {
  private static final int[] EDGES = {1, 3, 3, 0, -1};

  /** The shape of one rank's call. */
  public Shape shape(int rank) {
    return shapes.apply(rank);
  }

  /** Regular calls, and irregular ones where the algorithm can do them. */
  public static List<Calls> of(Algorithm algorithm, int size, int root, int count) {
    List<Calls> calls = new ArrayList<>();
    calls.add(
        new Calls(
            algorithm, size, root, count, rank -> regular(algorithm, rank, size, root, count)));
    if (algorithm.irregular() && hasBlocks(algorithm.collective())) {
      calls.add(
          new Calls(
              algorithm, size, root, count, rank -> irregular(algorithm, rank, size, root, count)));
    }
    return calls;
  }

  private static boolean hasBlocks(Collective collective) {
    return switch (collective) {
      case GATHER, SCATTER, ALLGATHER, ALLTOALL, REDUCE_SCATTER -> true;
      default -> false;
    };
  }

  private static Shape regular(Algorithm algorithm, int rank, int size, int root, int count) {
    return switch (algorithm.collective()) {
      case BARRIER -> Shape.vector(rank, size, 0, 0);
      case BROADCAST, REDUCE, ALLREDUCE, SCAN, EXSCAN -> Shape.vector(rank, size, root, count);
      case GATHER -> Shape.gather(rank, size, root, count);
      case SCATTER -> Shape.scatter(rank, size, root, count);
      case ALLGATHER -> Shape.allgather(rank, size, count);
      case ALLTOALL -> Shape.alltoall(rank, size, count);
      case REDUCE_SCATTER -> Shape.reduceScatter(rank, size, Blocks.equal(size, count));
      case NEIGHBOUR_EXCHANGE -> neighbours(rank, size, count);
    };
  }

  private static Shape neighbours(int rank, int size, int count) {
    List<Integer> destinations = new ArrayList<>();
    List<Integer> sources = new ArrayList<>();
    for (int edge : EDGES) {
      destinations.add(Math.floorMod(rank + edge, size));
      sources.add(Math.floorMod(rank - edge, size));
    }
    Blocks blocks = Blocks.equal(EDGES.length, count);
    return Shape.neighbours(rank, size, new Edges(destinations, sources), blocks, blocks);
  }

  private static Shape irregular(Algorithm algorithm, int rank, int size, int root, int count) {
    Blocks byRank = blocks(size, other -> length(other, 0, count));
    return switch (algorithm.collective()) {
      case GATHER -> Shape.gatherv(rank, size, root, byRank.length(rank), byRank);
      case SCATTER -> Shape.scatterv(rank, size, root, byRank.length(rank), byRank);
      case ALLGATHER -> Shape.allgatherv(rank, size, byRank);
      case ALLTOALL ->
          Shape.alltoallv(
              rank,
              size,
              blocks(size, to -> length(rank, to, count)),
              blocks(size, from -> length(from, rank, count)));
      default -> Shape.reduceScatter(rank, size, byRank);
    };
  }

  private static int length(int from, int to, int count) {
    return (from * 7 + to * 3) % (count + 1);
  }

  /** Blocks with a hole between any two, the last one first. */
  private static Blocks blocks(int size, IntFunction<Integer> length) {
    int[] lengths = new int[size];
    int[] offsets = new int[size];
    int offset = 0;
    for (int i = size - 1; i >= 0; i--) {
      lengths[i] = length.apply(i);
      offsets[i] = offset;
      offset += lengths[i] + 1;
    }
    return Blocks.at(offsets, lengths);
  }

  /** Elements of INPUT at a rank. */
  public int inputLength(int rank) {
    Shape shape = shape(rank);
    return switch (algorithm.collective()) {
      case BARRIER, BROADCAST -> 0;
      case SCATTER -> rank == root ? shape.inputs().extent() : 0;
      case ALLTOALL, REDUCE_SCATTER, NEIGHBOUR_EXCHANGE -> shape.inputs().extent();
      default -> shape.count();
    };
  }

  /** Elements of OUTPUT at a rank. */
  public int outputLength(int rank) {
    Shape shape = shape(rank);
    return switch (algorithm.collective()) {
      case BARRIER -> 0;
      case REDUCE -> rank == root ? shape.count() : 0;
      case GATHER -> rank == root ? shape.outputs().extent() : 0;
      case ALLGATHER, ALLTOALL, NEIGHBOUR_EXCHANGE -> shape.outputs().extent();
      default -> shape.count();
    };
  }

  @Override
  public String toString() {
    return algorithm.collective().key()
        + " "
        + algorithm.key()
        + " size="
        + size
        + " root="
        + root
        + " count="
        + count;
  }
}
