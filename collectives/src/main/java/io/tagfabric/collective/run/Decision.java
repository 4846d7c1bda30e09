package io.tagfabric.collective.run;

import java.util.BitSet;

/**
 * What members agree on.
 *
 * @param flag bits that all of them have proposed
 * @param lost members that one of them knows to be lost
 * @param nextContext a number for a new team that is free at all of them
 */
record Decision(long flag, BitSet lost, int nextContext) {
  /** Changes nothing. */
  static final Decision NEUTRAL = new Decision(-1L, new BitSet(), 0);

  Decision {
    lost = (BitSet) lost.clone();
  }

  @Override
  public BitSet lost() {
    return (BitSet) lost.clone();
  }

  /** Both together. */
  Decision and(Decision other) {
    BitSet both = lost();
    both.or(other.lost);
    return new Decision(flag & other.flag, both, Math.max(nextContext, other.nextContext));
  }
}
