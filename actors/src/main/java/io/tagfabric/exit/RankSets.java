package io.tagfabric.exit;

import java.util.BitSet;
import java.util.stream.IntStream;

/** Which ranks can be reached, which are gone, and which have answered. */
final class RankSets {
  private final int own;
  private final int size;
  private final BitSet known = new BitSet();
  private final BitSet gone = new BitSet();
  private final BitSet replied = new BitSet();

  RankSets(int own, int size) {
    this.own = own;
    this.size = size;
    known.set(own);
    known.set(0);
  }

  void know(int rank) {
    known.set(rank);
  }

  void knowAll() {
    known.set(0, size);
  }

  /** Notes that a rank is gone; false if it was before, or is this one. */
  boolean lose(int rank) {
    if (rank == own || gone.get(rank)) {
      return false;
    }
    gone.set(rank);
    return true;
  }

  boolean isGone(int rank) {
    return gone.get(rank);
  }

  void reply(int rank) {
    replied.set(rank);
  }

  /** All of the job that are not gone, whether reachable or not. */
  BitSet left() {
    BitSet left = new BitSet();
    left.set(0, size);
    left.andNot(gone);
    return left;
  }

  /** Those that can be told to end. */
  IntStream others() {
    return reachable().stream().filter(rank -> rank != own);
  }

  IntStream unanswered() {
    return others().filter(rank -> !replied.get(rank));
  }

  /** The lowest rank that lives, from a number on; this one at the latest. */
  int lowest(int from) {
    int rank = reachable().nextSetBit(from);
    return rank < 0 || rank > own ? own : rank;
  }

  private BitSet reachable() {
    BitSet reachable = (BitSet) known.clone();
    reachable.andNot(gone);
    return reachable;
  }
}
