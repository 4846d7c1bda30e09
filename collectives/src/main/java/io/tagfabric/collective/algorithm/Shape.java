package io.tagfabric.collective.algorithm;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.collective.schedule.Blocks;
import java.util.Objects;

/**
 * The ranks that call a collective, and on how much: all that an algorithm knows.
 *
 * <p>{@code inputs} are the blocks of INPUT by destination (scatter at the root, alltoall,
 * reduce-scatter, neighbour exchange), {@code outputs} those of OUTPUT by source (gather at the
 * root, allgather, alltoall, neighbour exchange). Where a rank has only one block, {@code count} is
 * its length.
 *
 * @param rank the caller
 * @param size ranks of the team
 * @param root the special rank of a rooted collective, else 0
 * @param count elements of the caller's vector or only block
 * @param inputs blocks of INPUT, null if it is one block
 * @param outputs blocks of OUTPUT, null if it is one block
 * @param edges the neighbours of a neighbour exchange, else null
 * @param regular whether all blocks of all ranks have equal lengths
 */
@InternalApi
public record Shape(
    int rank,
    int size,
    int root,
    int count,
    Blocks inputs,
    Blocks outputs,
    Edges edges,
    boolean regular) {
  public Shape {
    if (rank < 0 || rank >= size) {
      throw new IllegalArgumentException("rank=" + rank + " is outside 0.." + (size - 1));
    }
    if (root < 0 || root >= size) {
      throw new IllegalArgumentException(
          "root=" + root + " is outside 0.." + (size - 1) + ", name a rank of the team");
    }
    if (count < 0) {
      throw new IllegalArgumentException("count=" + count + " < 0, counts are 0 or more");
    }
  }

  /** A vector of the same length at all ranks: broadcast, reduce, allreduce, scan, barrier. */
  public static Shape vector(int rank, int size, int root, int count) {
    return new Shape(rank, size, root, count, null, null, null, true);
  }

  /** Equal blocks to the root. */
  public static Shape gather(int rank, int size, int root, int count) {
    return new Shape(rank, size, root, count, null, Blocks.equal(size, count), null, true);
  }

  /** Own blocks to the root, which alone knows all of them. */
  public static Shape gatherv(int rank, int size, int root, int count, Blocks outputs) {
    return new Shape(
        rank, size, root, count, null, rank == root ? each(outputs, size) : null, null, false);
  }

  /** Equal blocks from the root. */
  public static Shape scatter(int rank, int size, int root, int count) {
    return new Shape(rank, size, root, count, Blocks.equal(size, count), null, null, true);
  }

  /** Blocks from the root, which alone knows all of them. */
  public static Shape scatterv(int rank, int size, int root, int count, Blocks inputs) {
    return new Shape(
        rank, size, root, count, rank == root ? each(inputs, size) : null, null, null, false);
  }

  /** Equal blocks of all to all. */
  public static Shape allgather(int rank, int size, int count) {
    return new Shape(rank, size, 0, count, null, Blocks.equal(size, count), null, true);
  }

  /** A block of each rank to all; every rank knows the blocks. */
  public static Shape allgatherv(int rank, int size, Blocks outputs) {
    return new Shape(rank, size, 0, each(outputs, size).length(rank), null, outputs, null, false);
  }

  /** An equal block for each rank from each rank. */
  public static Shape alltoall(int rank, int size, int count) {
    Blocks blocks = Blocks.equal(size, count);
    return new Shape(rank, size, 0, count, blocks, blocks, null, true);
  }

  /** Blocks for each rank from each rank. */
  public static Shape alltoallv(int rank, int size, Blocks inputs, Blocks outputs) {
    return new Shape(rank, size, 0, 0, each(inputs, size), each(outputs, size), null, false);
  }

  /** A vector in blocks; block i of the result stays at rank i. Every rank knows the blocks. */
  public static Shape reduceScatter(int rank, int size, Blocks inputs) {
    return new Shape(rank, size, 0, each(inputs, size).length(rank), inputs, null, null, false);
  }

  /** A block for each destination, and one from each source. */
  public static Shape neighbours(int rank, int size, Edges edges, Blocks inputs, Blocks outputs) {
    return new Shape(
        rank,
        size,
        0,
        0,
        each(inputs, edges.destinations().size()),
        each(outputs, edges.sources().size()),
        Objects.requireNonNull(edges, "edges"),
        false);
  }

  private static Blocks each(Blocks blocks, int wanted) {
    if (Objects.requireNonNull(blocks, "blocks").count() != wanted) {
      throw new IllegalArgumentException(
          "blocks=" + blocks.count() + " is not ranks=" + wanted + ", give one block for each");
    }
    return blocks;
  }

  /** The rank's place when the root is the first. */
  int relative() {
    return Math.floorMod(rank - root, size);
  }

  /** The rank at a place when the root is the first. */
  int absolute(int relative) {
    return (relative + root) % size;
  }

  /** The rank that many places further, around the end. */
  int after(int distance) {
    return Math.floorMod(rank + distance, size);
  }
}
