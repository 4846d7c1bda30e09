package io.tagfabric.collective.algorithm;

/**
 * Ranks paired off until a power of two is left: of the first {@code 2 * extra} ranks each even one
 * gives its part to the odd one after it, and the odd one stands for both. The ranks left are
 * numbered anew, and a rank with a higher new number stands for higher old ranks.
 *
 * @param size ranks
 * @param power ranks left, a power of two
 * @param extra ranks folded away
 */
record FoldedRanks(int size, int power, int extra) {
  static FoldedRanks of(int size) {
    int power = PowersOfTwo.floor(size);
    return new FoldedRanks(size, power, size - power);
  }

  /** Whether a rank is one of a pair. */
  boolean isPaired(int rank) {
    return rank < 2 * extra;
  }

  /** Whether a rank gives its part away. */
  boolean isAway(int rank) {
    return isPaired(rank) && rank % 2 == 0;
  }

  /** The new number of a rank, or of the one that stands for it. */
  int newRank(int rank) {
    return isPaired(rank) ? rank / 2 : rank - extra;
  }

  /** The rank with a new number. */
  int oldRank(int newRank) {
    return newRank < extra ? 2 * newRank + 1 : newRank + extra;
  }
}
