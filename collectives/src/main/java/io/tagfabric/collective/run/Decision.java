package io.tagfabric.collective.run;

import io.tagfabric.annotation.InternalApi;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;

/**
 * What members agree on; the same at all that are alive.
 *
 * @param flag bits that all of them have proposed
 * @param lost members that one of them knew to be lost, or to have left
 * @param numbers by which members will tell a new team apart, of those that have named one
 */
@InternalApi
public record Decision(long flag, BitSet lost, MemberNumbers numbers) {
  private static final BitSet NOBODY = new BitSet();

  /** Changes nothing. */
  static final Decision NEUTRAL = new Decision(-1L, new BitSet(), MemberNumbers.NONE);

  public Decision {
    lost = lost.isEmpty() ? NOBODY : (BitSet) lost.clone();
  }

  @Override
  public BitSet lost() {
    return (BitSet) lost.clone();
  }

  /** Both together. */
  Decision and(Decision other) {
    BitSet both = lost();
    both.or(other.lost);
    return new Decision(flag & other.flag, both, numbers.and(other.numbers));
  }

  /** All of them together, with more members lost; each is looked at once. */
  static Decision of(Collection<Decision> proposals, BitSet more) {
    long flag = -1;
    BitSet lost = (BitSet) more.clone();
    for (Decision each : proposals) {
      flag &= each.flag;
      lost.or(each.lost);
    }
    List<MemberNumbers> parts = proposals.stream().map(Decision::numbers).toList();
    return new Decision(flag, lost, MemberNumbers.of(parts));
  }

  /** Refuses numbers of members that a team of this size does not have. */
  void requireOf(int size) {
    if (numbers.length() > size) {
      throw new IllegalArgumentException(
          "members up to " + (numbers.length() - 1) + " are not of a team of size=" + size);
    }
  }

  /** The same with more members lost. */
  Decision losing(BitSet more) {
    return and(new Decision(-1L, more, MemberNumbers.NONE));
  }
}
