package io.tagfabric.collective.algorithm;

import java.util.Arrays;

/**
 * Which rank gets which block from which when rank 0 of p ranks broadcasts n blocks in {@code n - 1
 * + ceil(lg p)} rounds, the fewest there can be. With {@code q = ceil(lg p)}, a rank sends in round
 * i to the one {@code skip(i mod q)} after it, and receives from the one as far before it, where
 * the skips are p halved and rounded up again and again:
 *
 * <pre>
 *   p = 5: skips 1, 2, 3      round 0: 0->1 1->2 2->3 3->4 4->0      round 1: 0->2 1->3 ...
 * </pre>
 *
 * <p>Each rank finds the blocks of its q kinds of rounds by a search over the skips, in O(log p)
 * steps and without a message; q rounds later they are the same blocks plus q. A block that would
 * come again is left out.
 *
 * @source Träff, "Fast(er) construction of round-optimal n-block broadcast schedules", CLUSTER 2022
 */
final class Circulant {
  private static final int NONE = -1;

  private final int size;
  private final int blocks;
  private final int steps;
  private final int[] skips;
  private final int virtual;

  /**
   * Prepares it.
   *
   * @param blocks at least 1
   */
  Circulant(int size, int blocks) {
    this.size = size;
    this.blocks = blocks;
    steps = PowersOfTwo.ceilingLog(size);
    skips = new int[steps + 1];
    skips[steps] = size;
    for (int k = steps - 1; k >= 0; k--) {
      skips[k] = (skips[k + 1] + 1) / 2;
    }
    virtual = steps == 0 ? 0 : Math.floorMod(1 - blocks, steps);
  }

  /** Rounds in all. */
  int rounds() {
    return size == 1 ? 0 : blocks - 1 + steps;
  }

  /** How far away a rank's partners are in a round. */
  int skip(int round) {
    return skips[(round + virtual) % steps];
  }

  /** The block that a rank gets in each round, {@code -1} for none; of rank 0 always none. */
  int[] received(int rank) {
    int[] received = new int[rounds()];
    Arrays.fill(received, NONE);
    if (rank == 0) {
      return received;
    }
    int[] kinds = new Search(rank).kinds();
    boolean[] has = new boolean[blocks];
    for (int round = 0; round < received.length; round++) {
      int at = round + virtual;
      int block = kinds[at % steps] - virtual + at / steps * steps;
      if (block >= 0) {
        int known = Math.min(block, blocks - 1);
        received[round] = has[known] ? NONE : known;
        has[known] = true;
      }
    }
    return received;
  }

  /** The index of the skip by which a rank gets its first block; {@code steps} for rank 0. */
  private int first(int rank) {
    int rest = rank;
    for (int k = steps - 1; k >= 0; k--) {
      if (skips[k] == rest) {
        return k;
      }
      if (skips[k] < rest) {
        rest -= skips[k];
      }
    }
    return steps;
  }

  /** Finds the ranks from which, over q ways that share no skip, a rank gets its blocks. */
  private final class Search {
    private final int rank;
    private final int own;

    /** Skips not used yet, in a list from the longest to the shortest; {@code NONE} ends it. */
    private final int[] next = new int[steps + 2];

    private final int[] previous = new int[steps + 2];
    private final int[] found = new int[steps];
    private int count;
    private int limit;

    Search(int rank) {
      this.rank = rank + size;
      this.own = first(rank);
      limit = 2 * size;
      for (int k = steps; k >= 0; k--) {
        next[k] = k - 1;
        previous[k] = k + 1;
      }
      next[steps + 1] = steps;
    }

    int[] kinds() {
      unlink(own);
      walk(0, next[steps + 1]);
      int[] kinds = new int[steps];
      for (int k = 0; k < steps; k++) {
        kinds[k] = found[k] == steps ? own : found[k] - steps;
      }
      return kinds;
    }

    private void unlink(int skip) {
      next[previous[skip]] = next[skip];
      if (next[skip] != NONE) {
        previous[next[skip]] = previous[skip];
      }
    }

    private void walk(int from, int first) {
      for (int k = first; k != NONE && count < steps; k = next[k]) {
        int to = from + skips[k];
        if (to <= rank - skips[count] && to < limit) {
          if (to <= rank - skips[count + 1]) {
            walk(to, k);
          }
          if (count == steps || from > rank - skips[count + 1]) {
            return;
          }
          limit = to;
          found[count++] = k;
          unlink(k);
        }
      }
    }
  }
}
