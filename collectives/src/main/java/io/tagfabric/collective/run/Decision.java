package io.tagfabric.collective.run;

import io.tagfabric.annotation.InternalApi;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * What members agree on; the same at all that are alive.
 *
 * @param flag bits that all of them have proposed
 * @param lost members that one of them knew to be lost, or to have left
 * @param numbers by which members will tell a new team apart, in the order of members; of those
 *     that have named one
 */
@InternalApi
public record Decision(long flag, BitSet lost, List<Numbered> numbers) {
  /**
   * A member and its number of a new team.
   *
   * @param member its rank in this team
   */
  @InternalApi
  public record Numbered(int member, int number) {}

  private static final BitSet NOBODY = new BitSet();

  /** Changes nothing. */
  static final Decision NEUTRAL = new Decision(-1L, new BitSet(), List.of());

  public Decision {
    lost = lost.isEmpty() ? NOBODY : (BitSet) lost.clone();
    numbers = List.copyOf(numbers);
  }

  @Override
  public BitSet lost() {
    return (BitSet) lost.clone();
  }

  /** Both together. */
  Decision and(Decision other) {
    BitSet both = lost();
    both.or(other.lost);
    List<Numbered> all = numbers;
    if (!other.numbers.isEmpty()) {
      all = new ArrayList<>(numbers);
      all.addAll(other.numbers);
      all.sort(Comparator.comparingInt(Numbered::member));
    }
    return new Decision(flag & other.flag, both, all);
  }

  /** All of them together, with more members lost; each is looked at once. */
  static Decision of(Collection<Decision> proposals, BitSet more) {
    long flag = -1;
    BitSet lost = (BitSet) more.clone();
    List<Numbered> numbers = new ArrayList<>();
    for (Decision each : proposals) {
      flag &= each.flag;
      lost.or(each.lost);
      numbers.addAll(each.numbers);
    }
    numbers.sort(Comparator.comparingInt(Numbered::member));
    return new Decision(flag, lost, numbers);
  }

  /** The same with more members lost. */
  Decision losing(BitSet more) {
    return and(new Decision(-1L, more, List.of()));
  }
}
