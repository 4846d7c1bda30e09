package io.tagfabric.bench.ours;

import java.util.stream.IntStream;

/** Who sends to whom when many ranks take part. A group is the number that a row is about. */
enum Crowd {
  /** All ranks of a group of senders send to rank 0. */
  FAN_IN("senders", 1) {
    @Override
    int ranks(int group) {
      return group + 1;
    }

    @Override
    int[] sourcesOf(int rank, int group) {
      return rank == 0 ? IntStream.rangeClosed(1, group).toArray() : NOBODY;
    }

    @Override
    int targetOf(int rank, int group) {
      return rank >= 1 && rank <= group ? 0 : NONE;
    }
  },

  /** Of two ranks each the one with the odd number sends to the other. */
  PAIRS("ranks", 2) {
    @Override
    int ranks(int group) {
      return group;
    }

    @Override
    int[] sourcesOf(int rank, int group) {
      return rank < group && rank % 2 == 0 ? new int[] {rank + 1} : NOBODY;
    }

    @Override
    int targetOf(int rank, int group) {
      return rank < group && rank % 2 == 1 ? rank - 1 : NONE;
    }
  };

  /** No rank. */
  static final int NONE = -1;

  private static final int[] NOBODY = {};

  private final String unit;
  private final int step;

  Crowd(String unit, int step) {
    this.unit = unit;
    this.step = step;
  }

  /** What a group counts. */
  String unit() {
    return unit;
  }

  /** A group is a multiple of this. */
  int step() {
    return step;
  }

  /** Ranks that such a group needs. */
  abstract int ranks(int group);

  /** Whom a rank hears, in order; nobody if it does not receive. */
  abstract int[] sourcesOf(int rank, int group);

  /** Whom a rank sends to, {@link #NONE} if it does not. */
  abstract int targetOf(int rank, int group);
}
