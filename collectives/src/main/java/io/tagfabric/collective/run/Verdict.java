package io.tagfabric.collective.run;

import java.util.BitSet;

/**
 * What members agree on.
 *
 * @param flag bits that all of them have proposed
 * @param lost members that one of them knows to be lost
 * @param nextContext a number for a new team that is free at all of them
 */
record Verdict(long flag, BitSet lost, int nextContext) {
  /** Changes nothing. */
  static final Verdict NEUTRAL = new Verdict(-1L, new BitSet(), 0);

  Verdict {
    lost = (BitSet) lost.clone();
  }

  @Override
  public BitSet lost() {
    return (BitSet) lost.clone();
  }

  /** Both together. */
  Verdict and(Verdict other) {
    BitSet both = lost();
    both.or(other.lost);
    return new Verdict(flag & other.flag, both, Math.max(nextContext, other.nextContext));
  }
}
