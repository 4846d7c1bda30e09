package io.tagfabric.collective.run;

import io.tagfabric.collective.algorithm.Collective;
import io.tagfabric.collective.algorithm.Edges;
import io.tagfabric.collective.algorithm.Shape;
import io.tagfabric.collective.reduce.Elements;
import io.tagfabric.collective.reduce.OperatorException;
import io.tagfabric.collective.schedule.Blocks;
import io.tagfabric.error.FabricError;
import java.util.List;

/**
 * Does a collective for all members at once, when all their memory is at hand: contributions are
 * combined in rank order, whatever the operator.
 */
final class CellWork {
  private final CellRun[] runs;
  private final int size;

  /** Whose operator is at work. */
  private int combining;

  CellWork(CellRun[] runs) {
    this.runs = runs;
    this.size = runs.length;
  }

  /** Whether no member's input is written before all that read it have, though memory is shared. */
  static boolean readsFirst(CollectiveCall call) {
    Elements input = call.input();
    return !input.overlaps(call.output())
        || (call.collective() == Collective.ALLREDUCE && input.isSame(call.output()));
  }

  /** Null if all went well. */
  TeamFailure perform() {
    try {
      return work();
    } catch (Throwable e) {
      return TeamFailure.thrown(combining, e);
    }
  }

  /**
   * What a member still gets when it ends, from rank 0, which ends last; so that the memory of many
   * members is not gone through once more.
   */
  TeamFailure deliver(int rank) {
    if (rank > 0 && call(rank).collective() == Collective.ALLREDUCE) {
      try {
        copy(output(0), output(rank));
      } catch (Throwable e) {
        return TeamFailure.thrown(rank, e);
      }
    }
    return null;
  }

  /** The first member that calls something else than rank 0, as a failure; null if none does. */
  TeamFailure difference() {
    for (int rank = 1; rank < size; rank++) {
      if (!CallSignature.areEqual(runs[rank], runs[0])) {
        return TeamFailure.atFault(
            rank,
            FabricError.INVALID,
            "calls ["
                + runs[rank].signature()
                + "] where rank 0 calls ["
                + runs[0].signature()
                + "], call the same everywhere");
      }
    }
    return null;
  }

  private TeamFailure work() {
    int root = call(0).root();
    switch (call(0).collective()) {
      case BARRIER -> {}
      case BROADCAST -> {
        for (int rank = 0; rank < size; rank++) {
          copy(output(root), output(rank));
        }
      }
      case REDUCE -> fold(0, output(root).count(), output(root));
      case ALLREDUCE -> fold(0, output(0).count(), output(0)); // the others get it as they end
      case SCAN -> {
        copy(input(0), output(0));
        for (int rank = 1; rank < size; rank++) {
          combine(rank, output(rank - 1), input(rank), output(rank));
        }
      }
      case EXSCAN -> exscan();
      case REDUCE_SCATTER -> {
        for (int rank = 0; rank < size; rank++) {
          Blocks blocks = shape(rank).inputs();
          int count = blocks.length(rank);
          fold(blocks.offset(rank), count, output(rank));
        }
      }
      case GATHER -> {
        return collect(root);
      }
      case SCATTER -> {
        for (int rank = 0; rank < size; rank++) {
          TeamFailure failure = move(root, shape(root).inputs(), rank, rank, output(rank));
          if (failure != null) {
            return failure;
          }
        }
      }
      case ALLGATHER -> {
        return collectForAll();
      }
      case ALLTOALL -> {
        return alltoall();
      }
      case NEIGHBOUR_EXCHANGE -> {
        return neighbours();
      }
    }
    return null;
  }

  private void exscan() {
    if (size > 1) {
      copy(input(0), output(1));
    }
    for (int rank = 2; rank < size; rank++) {
      combine(rank - 1, output(rank - 1), input(rank - 1), output(rank));
    }
  }

  /** All inputs to one member. */
  private TeamFailure collect(int to) {
    for (int from = 0; from < size; from++) {
      Blocks blocks = shape(to).outputs();
      if (blocks.length(from) != shape(from).count()) {
        return lengths(from, shape(from).count(), to, blocks.length(from));
      }
      copy(
          input(from).part(0, blocks.length(from)),
          output(to).part(blocks.offset(from), blocks.length(from)));
    }
    return null;
  }

  /** Once; the others copy the whole if their blocks lie where the first one's do. */
  private TeamFailure collectForAll() {
    TeamFailure failure = collect(0);
    Blocks blocks = shape(0).outputs();
    for (int rank = 1; rank < size && failure == null; rank++) {
      if (blocks.isPacked() && shape(rank).outputs().equals(blocks)) {
        copy(output(0).part(0, blocks.extent()), output(rank).part(0, blocks.extent()));
      } else {
        failure = collect(rank);
      }
    }
    return failure;
  }

  private TeamFailure alltoall() {
    for (int to = 0; to < size; to++) {
      for (int from = 0; from < size; from++) {
        Blocks into = shape(to).outputs();
        TeamFailure failure =
            move(
                from,
                shape(from).inputs(),
                to,
                to,
                output(to).part(into.offset(from), into.length(from)));
        if (failure != null) {
          return failure;
        }
      }
    }
    return null;
  }

  private TeamFailure neighbours() {
    for (int to = 0; to < size; to++) {
      int[] seen = new int[size];
      Edges edges = shape(to).edges();
      for (int edge = 0; edge < edges.sources().size(); edge++) {
        int from = edges.sources().get(edge);
        int block = nthTo(shape(from).edges().destinations(), to, seen[from]++);
        if (block < 0) {
          return TeamFailure.atFault(
              from,
              FabricError.INVALID,
              "has fewer edges to rank " + to + " than this expects, name the same at both ends");
        }
        Blocks into = shape(to).outputs();
        TeamFailure failure =
            move(
                from,
                shape(from).inputs(),
                block,
                to,
                output(to).part(into.offset(edge), into.length(edge)));
        if (failure != null) {
          return failure;
        }
      }
    }
    return null;
  }

  private static int nthTo(List<Integer> destinations, int rank, int nth) {
    int seen = 0;
    for (int i = 0; i < destinations.size(); i++) {
      if (destinations.get(i) == rank && seen++ == nth) {
        return i;
      }
    }
    return -1;
  }

  /** A block of one member's input to another member. */
  private TeamFailure move(int from, Blocks blocks, int block, int to, Elements into) {
    if (blocks.length(block) != into.count()) {
      return lengths(from, blocks.length(block), to, into.count());
    }
    copy(input(from).part(blocks.offset(block), blocks.length(block)), into);
    return null;
  }

  private static TeamFailure lengths(int from, int count, int to, int wanted) {
    return TeamFailure.atFault(
        from,
        FabricError.INVALID,
        "has count="
            + count
            + " for rank "
            + to
            + ", which expects "
            + wanted
            + ", call with the same counts at both ends");
  }

  /** Combines a range of all inputs, into the beginning of an output. */
  private void fold(int from, int count, Elements into) {
    int bytes = into.kind().bytes();
    Elements first = input(0);
    if (first.buffer() != into.buffer() || first.offset() + from * bytes != into.offset()) {
      into.buffer()
          .putBytes(into.offset(), first.buffer(), first.offset() + from * bytes, count * bytes);
    }
    for (int rank = 1; rank < size; rank++) {
      Elements right = input(rank);
      combine(rank, into, right, right.offset() + from * bytes, into, count);
    }
  }

  private void combine(int rank, Elements left, Elements right, Elements into) {
    combine(rank, left, right, right.offset(), into, into.count());
  }

  /** Each member's input is combined by its own operator. */
  private void combine(
      int rank, Elements left, Elements right, int rightOffset, Elements into, int count) {
    combining = rank;
    OperatorException.combine(
        call(rank).operator(),
        into.kind(),
        left.buffer(),
        left.offset(),
        right.buffer(),
        rightOffset,
        into.buffer(),
        into.offset(),
        count);
  }

  private static void copy(Elements from, Elements into) {
    if (!from.isSame(into)) {
      into.buffer().putBytes(into.offset(), from.buffer(), from.offset(), from.lengthBytes());
    }
  }

  private CollectiveCall call(int rank) {
    return runs[rank].call();
  }

  private Shape shape(int rank) {
    return runs[rank].shape();
  }

  private Elements input(int rank) {
    return call(rank).input();
  }

  private Elements output(int rank) {
    return call(rank).output();
  }
}
