package io.tagfabric.collective.run;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * A binomial tree of the members that are not in a set: the lowest is the root, and each has at
 * most {@code log2} of them as neighbours. Immutable.
 */
final class BinomialTree {
  private final int root;
  private final int parent;
  private final List<Integer> children = new ArrayList<>();

  /**
   * The place of one member.
   *
   * @param without who is not in the tree; not this member
   */
  BinomialTree(int rank, int size, BitSet without) {
    int[] ranks = new int[size];
    int count = 0;
    int place = 0;
    for (int member = without.nextClearBit(0); member < size; ) {
      if (member == rank) {
        place = count;
      }
      ranks[count++] = member;
      member = without.nextClearBit(member + 1);
    }
    root = ranks[0];
    parent = place == 0 ? rank : ranks[place - Integer.lowestOneBit(place)];
    int below = place == 0 ? Integer.MAX_VALUE : Integer.lowestOneBit(place);
    for (int step = 1; step < below && step < count - place; step <<= 1) {
      children.add(ranks[place + step]);
    }
  }

  /** The lowest member. */
  int root() {
    return root;
  }

  /** Of the root itself. */
  int parent() {
    return parent;
  }

  List<Integer> children() {
    return children;
  }
}
