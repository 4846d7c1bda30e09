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
  private final List<Integer> children;

  /**
   * The place of one member.
   *
   * @param without who is not in the tree; not this member
   */
  BinomialTree(int rank, int size, BitSet without) {
    int count = size - lostBelow(size, without);
    int place = rank - lostBelow(rank, without);
    root = memberAt(0, without);
    parent = place == 0 ? rank : memberAt(place - Integer.lowestOneBit(place), without);
    int below = place == 0 ? Integer.MAX_VALUE : Integer.lowestOneBit(place);
    List<Integer> found = new ArrayList<>();
    for (int step = 1; step < below && step < count - place; step <<= 1) {
      found.add(memberAt(place + step, without));
    }
    children = List.copyOf(found);
  }

  private static int lostBelow(int end, BitSet without) {
    int lost = 0;
    for (int member = next(0, without); member < end; member = next(member + 1, without)) {
      lost++;
    }
    return lost;
  }

  /** The member in a place of the tree. */
  private static int memberAt(int place, BitSet without) {
    int member = place;
    for (int gone = next(0, without); gone <= member; gone = next(gone + 1, without)) {
      member++;
    }
    return member;
  }

  /** The first that is not in the tree from one on; beyond all if there is none. */
  private static int next(int from, BitSet without) {
    int next = without.nextSetBit(from);
    return next < 0 ? Integer.MAX_VALUE : next;
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
