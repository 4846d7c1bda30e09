package io.tagfabric.trials.collective;

import io.tagfabric.collective.algorithm.Collective;
import io.tagfabric.collective.algorithm.Edges;
import io.tagfabric.collective.algorithm.Shape;
import io.tagfabric.collective.reduce.ElementKind;
import io.tagfabric.collective.reduce.Elements;
import io.tagfabric.collective.reduce.ReduceOp;
import io.tagfabric.collective.run.CollectiveCall;
import io.tagfabric.collective.schedule.Blocks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * One collective of all members: what each passes, and what each must get by the definition, done
 * one after the other in the order of ranks. Where nothing may be written, the bytes must stay.
 */
final class CheckedCall {
  private static final byte UNTOUCHED = 0x5a;

  private final Collective collective;
  private final ElementKind kind;
  private final ReduceOp operator;
  private final int size;
  private final int root;
  private final int count;
  private final boolean irregular;
  private final List<Elements> inputs = new ArrayList<>();
  private final List<Elements> given = new ArrayList<>();
  private final List<Elements> outputs = new ArrayList<>();
  private final List<CollectiveCall> calls = new ArrayList<>();

  /**
   * Makes the data.
   *
   * @param operator null where nothing is combined
   * @param count elements of the vector, or of a block
   * @param irregular whether blocks have different lengths
   */
  CheckedCall(
      Collective collective,
      ElementKind kind,
      ReduceOp operator,
      int size,
      int root,
      int count,
      boolean irregular,
      SplittableRandom random) {
    this.collective = collective;
    this.kind = kind;
    this.operator = operator;
    this.size = size;
    this.root = collective.rooted() ? root : 0;
    this.count = count;
    this.irregular = irregular;
    for (int rank = 0; rank < size; rank++) {
      Elements input = SmallWholes.of(kind, inputLength(rank), random);
      inputs.add(input);
      given.add(input.copy());
      Elements output = Elements.allocate(kind, outputLength(rank));
      byte[] bytes = new byte[output.lengthBytes()];
      Arrays.fill(bytes, UNTOUCHED);
      output.buffer().putBytes(0, bytes);
      if (collective == Collective.BROADCAST && rank == root) {
        output.buffer().putBytes(0, input.buffer(), 0, input.lengthBytes());
      }
      outputs.add(output);
    }
    for (int rank = 0; rank < size; rank++) {
      calls.add(make(rank));
    }
  }

  static boolean hasBlocks(Collective collective) {
    return switch (collective) {
      case GATHER, SCATTER, ALLGATHER, ALLTOALL, REDUCE_SCATTER -> true;
      default -> false;
    };
  }

  /** Elements that one member has for another, or as its block. */
  private int length(int from, int to) {
    return irregular ? (from * 3 + to * 5 + count) % (count + 1) : count;
  }

  private Blocks blocksOf(int rank, boolean incoming) {
    int[] lengths = new int[size];
    for (int other = 0; other < size; other++) {
      lengths[other] = incoming ? length(other, rank) : length(rank, other);
    }
    return Blocks.packed(lengths);
  }

  /** The blocks by rank of a collective in which each member has one. */
  private Blocks byRank() {
    int[] lengths = new int[size];
    for (int rank = 0; rank < size; rank++) {
      lengths[rank] = length(rank, 0);
    }
    return Blocks.packed(lengths);
  }

  private int inputLength(int rank) {
    return switch (collective) {
      case BARRIER -> 0;
      case GATHER, ALLGATHER -> length(rank, 0);
      case SCATTER, REDUCE_SCATTER -> byRank().extent();
      case ALLTOALL -> blocksOf(rank, false).extent();
      case NEIGHBOUR_EXCHANGE -> 2 * count;
      default -> count;
    };
  }

  private int outputLength(int rank) {
    return switch (collective) {
      case BARRIER -> 0;
      case GATHER, ALLGATHER -> byRank().extent();
      case SCATTER, REDUCE_SCATTER -> length(rank, 0);
      case ALLTOALL -> blocksOf(rank, true).extent();
      case NEIGHBOUR_EXCHANGE -> 2 * count;
      default -> count;
    };
  }

  private CollectiveCall make(int rank) {
    Elements in = inputs.get(rank);
    Elements out = outputs.get(rank);
    return switch (collective) {
      case BARRIER -> CollectiveCall.barrier();
      case BROADCAST -> CollectiveCall.broadcast(out, root);
      case REDUCE -> CollectiveCall.reduce(in, out, operator, root);
      case ALLREDUCE -> CollectiveCall.allreduce(in, out, operator);
      case SCAN -> CollectiveCall.scan(in, out, operator);
      case EXSCAN -> CollectiveCall.exscan(in, out, operator);
      case GATHER ->
          irregular
              ? CollectiveCall.gatherv(in, out, rank == root ? byRank() : null, root)
              : CollectiveCall.gather(in, out, root);
      case SCATTER ->
          irregular
              ? CollectiveCall.scatterv(in, rank == root ? byRank() : null, out, root)
              : CollectiveCall.scatter(in, out, root);
      case ALLGATHER ->
          irregular
              ? CollectiveCall.allgatherv(in, out, byRank())
              : CollectiveCall.allgather(in, out);
      case ALLTOALL ->
          irregular
              ? CollectiveCall.alltoallv(in, blocksOf(rank, false), out, blocksOf(rank, true))
              : CollectiveCall.alltoall(in, out);
      case REDUCE_SCATTER ->
          irregular
              ? CollectiveCall.reduceScatter(in, byRank(), out, operator)
              : CollectiveCall.reduceScatterBlock(in, out, operator);
      case NEIGHBOUR_EXCHANGE -> {
        Blocks two = Blocks.equal(2, count);
        yield CollectiveCall.neighbourExchange(ring(rank), in, two, out, two);
      }
    };
  }

  /** The one before, then the one behind. */
  private Edges ring(int rank) {
    int before = Math.floorMod(rank - 1, size);
    int behind = (rank + 1) % size;
    return new Edges(List.of(before, behind), List.of(behind, before));
  }

  CollectiveCall call(int rank) {
    return calls.get(rank);
  }

  Shape shape(int rank) {
    return calls.get(rank).shape(rank, size);
  }

  /** What is wrong, null if nothing is. */
  String complaint() {
    for (int rank = 0; rank < size; rank++) {
      Elements wanted = wanted(rank);
      byte[] expected =
          wanted == null ? untouched(outputs.get(rank).lengthBytes()) : wanted.toByteArray();
      int at = Arrays.mismatch(expected, outputs.get(rank).toByteArray());
      if (at >= 0) {
        return this + " at rank " + rank + ": element " + at / kind.bytes() + " is wrong";
      }
      if (!collective.equals(Collective.BARRIER)
          && !Arrays.equals(given.get(rank).toByteArray(), inputs.get(rank).toByteArray())) {
        return this + " at rank " + rank + ": the input has changed";
      }
    }
    return null;
  }

  private static byte[] untouched(int length) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, UNTOUCHED);
    return bytes;
  }

  /** Null where the output is not touched. */
  private Elements wanted(int rank) {
    return switch (collective) {
      case BARRIER -> Elements.none(kind);
      case BROADCAST -> given.get(root);
      case REDUCE -> rank == root ? fold(0, size, 0, count) : null;
      case ALLREDUCE -> fold(0, size, 0, count);
      case SCAN -> fold(0, rank + 1, 0, count);
      case EXSCAN -> rank == 0 ? null : fold(0, rank, 0, count);
      case REDUCE_SCATTER -> fold(0, size, byRank().offset(rank), length(rank, 0));
      case GATHER -> rank == root ? joined() : null;
      case ALLGATHER -> joined();
      case SCATTER -> given.get(root).part(byRank().offset(rank), length(rank, 0));
      case ALLTOALL -> swapped(rank);
      case NEIGHBOUR_EXCHANGE -> fromNeighbours(rank);
    };
  }

  private Elements fold(int first, int end, int from, int length) {
    Elements result = given.get(first).part(from, length).copy();
    for (int rank = first + 1; rank < end; rank++) {
      Elements right = given.get(rank).part(from, length);
      operator.combine(
          kind,
          result.buffer(),
          result.offset(),
          right.buffer(),
          right.offset(),
          result.buffer(),
          result.offset(),
          length);
    }
    return result;
  }

  private Elements joined() {
    Elements all = Elements.allocate(kind, byRank().extent());
    for (int rank = 0; rank < size; rank++) {
      put(all, byRank().offset(rank), given.get(rank));
    }
    return all;
  }

  private Elements swapped(int rank) {
    Blocks into = blocksOf(rank, true);
    Elements all = Elements.allocate(kind, into.extent());
    for (int from = 0; from < size; from++) {
      int at = blocksOf(from, false).offset(rank);
      put(all, into.offset(from), given.get(from).part(at, length(from, rank)));
    }
    return all;
  }

  /** From the one behind comes its first block, from the one before its second. */
  private Elements fromNeighbours(int rank) {
    Elements all = Elements.allocate(kind, 2 * count);
    put(all, 0, given.get((rank + 1) % size).part(0, count));
    put(all, count, given.get(Math.floorMod(rank - 1, size)).part(count, count));
    return all;
  }

  private void put(Elements into, int at, Elements from) {
    into.buffer().putBytes(at * kind.bytes(), from.buffer(), from.offset(), from.lengthBytes());
  }

  Elements input(int rank) {
    return inputs.get(rank);
  }

  Elements output(int rank) {
    return outputs.get(rank);
  }

  ReduceOp operator() {
    return operator;
  }

  ElementKind kind() {
    return kind;
  }

  @Override
  public String toString() {
    return collective.key()
        + (irregular ? " irregular" : "")
        + " members="
        + size
        + " root="
        + root
        + " kind="
        + kind.key()
        + (operator == null ? "" : " operator=" + operator.name())
        + " count="
        + count;
  }
}
