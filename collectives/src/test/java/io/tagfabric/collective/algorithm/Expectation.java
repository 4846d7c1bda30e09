package io.tagfabric.collective.algorithm;

import io.tagfabric.collective.schedule.Blocks;

/** What every element of the result is made of, by the definition of the collective. */
final class Expectation {
  private final Calls calls;

  Expectation(Calls calls) {
    this.calls = calls;
  }

  /** The output of a rank; null where it is undefined. */
  int[][] output(int rank) {
    int[][] output = new int[calls.outputLength(rank)][];
    Shape shape = calls.shape(rank);
    switch (calls.algorithm().collective()) {
      case BARRIER -> {}
      case BROADCAST -> fill(output, 0, output.length, calls.root(), 0);
      case REDUCE, ALLREDUCE -> fold(output, 0, calls.size(), 0);
      case SCAN -> fold(output, 0, rank + 1, 0);
      case EXSCAN -> fold(output, 0, rank, 0);
      case REDUCE_SCATTER -> fold(output, 0, calls.size(), shape.inputs().offset(rank));
      case SCATTER -> {
        int from = calls.shape(calls.root()).inputs().offset(rank);
        fill(output, 0, output.length, calls.root(), from);
      }
      case GATHER, ALLGATHER -> {
        for (int from = 0; output.length > 0 && from < calls.size(); from++) {
          fill(output, shape.outputs().offset(from), shape.outputs().length(from), from, 0);
        }
      }
      case ALLTOALL -> {
        for (int from = 0; from < calls.size(); from++) {
          int begin = calls.shape(from).inputs().offset(rank);
          fill(output, shape.outputs().offset(from), shape.outputs().length(from), from, begin);
        }
      }
      case NEIGHBOUR_EXCHANGE -> neighbours(output, rank, shape);
    }
    return output;
  }

  /** The n-th edge from a rank is the n-th of that rank's edges to here. */
  private void neighbours(int[][] output, int rank, Shape shape) {
    int[] seen = new int[calls.size()];
    for (int edge = 0; edge < shape.edges().sources().size(); edge++) {
      int from = shape.edges().sources().get(edge);
      Blocks theirs = calls.shape(from).inputs();
      int skip = seen[from]++;
      for (int i = 0; i < theirs.count(); i++) {
        if (calls.shape(from).edges().destinations().get(i) == rank && skip-- == 0) {
          fill(
              output,
              shape.outputs().offset(edge),
              shape.outputs().length(edge),
              from,
              theirs.offset(i));
        }
      }
    }
  }

  private static void fill(int[][] output, int at, int length, int rank, int from) {
    for (int i = 0; i < length; i++) {
      output[at + i] = SymbolicTeam.piece(rank, from + i);
    }
  }

  private static void fold(int[][] output, int first, int end, int from) {
    for (int i = 0; i < output.length && first < end; i++) {
      output[i] = new int[end - first];
      for (int rank = first; rank < end; rank++) {
        output[i][rank - first] = SymbolicTeam.piece(rank, from + i)[0];
      }
    }
  }
}
