package io.tagfabric.job;

import java.util.BitSet;

/**
 * The ranks that have come to a barrier. Barriers have numbers in the order they are met; a rank
 * enters one only after it was released from the one before, so at most one is under way.
 */
final class BarrierRoll {
  private final int size;
  private final BitSet arrived = new BitSet();
  private long released;

  BarrierRoll(int size) {
    this.size = size;
  }

  /**
   * Notes that a rank has come to a barrier; it may say so again.
   *
   * @param number of the barrier, from 1
   * @return whether this barrier is released now, by this arrival or an earlier one
   */
  boolean enter(long number, int rank) {
    if (number <= released) {
      return true;
    }
    arrived.set(rank);
    if (arrived.cardinality() < size) {
      return false;
    }
    arrived.clear();
    released = number;
    return true;
  }

  /** The ranks that have not come to the barrier under way, in order. */
  int[] missing() {
    BitSet absent = new BitSet();
    absent.set(0, size);
    absent.andNot(arrived);
    return absent.stream().toArray();
  }
}
