package io.tagfabric.collective.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MemberNumbersTest {
  private static final int MEMBERS = 12;

  /** Few numbers, so that runs are met. */
  @Provide
  Arbitrary<Map<Integer, Integer>> numbers() {
    return Arbitraries.maps(
            Arbitraries.integers().between(0, MEMBERS - 1), Arbitraries.integers().between(7, 8))
        .ofMaxSize(MEMBERS);
  }

  @Property(tries = 500)
  void shouldHoldWhatAMapHoldsWhateverTheParts(
      @ForAll("numbers") Map<Integer, Integer> map, @ForAll List<Boolean> sides) {
    List<MemberNumbers> parts = new ArrayList<>();
    MemberNumbers left = MemberNumbers.NONE;
    MemberNumbers right = MemberNumbers.NONE;
    int at = 0;
    for (Map.Entry<Integer, Integer> each : map.entrySet()) {
      MemberNumbers one = MemberNumbers.of(each.getKey(), each.getValue());
      parts.add(one);
      if (at < sides.size() && sides.get(at++)) {
        left = left.and(one);
      } else {
        right = right.and(one);
      }
    }

    MemberNumbers all = MemberNumbers.of(parts);

    assertThat(left.and(right)).isEqualTo(all);
    assertThat(right.and(left)).isEqualTo(all);
    requireSame(all, new TreeMap<>(map));
  }

  @Property(tries = 500)
  void shouldLeaveOutThoseThatAreGone(
      @ForAll("numbers") Map<Integer, Integer> map, @ForAll long gone) {
    BitSet without = BitSet.valueOf(new long[] {gone});
    MemberNumbers all =
        MemberNumbers.of(
            map.entrySet().stream()
                .map(each -> MemberNumbers.of(each.getKey(), each.getValue()))
                .toList());
    TreeMap<Integer, Integer> left = new TreeMap<>(map);
    left.keySet().removeIf(without::get);

    requireSame(all.without(without), left);
  }

  private static void requireSame(MemberNumbers numbers, SortedMap<Integer, Integer> model) {
    Map<Integer, Integer> seen = new TreeMap<>();
    numbers.forEach(seen::put);
    assertThat(seen).isEqualTo(model);
    assertThat(numbers.size()).isEqualTo(model.size());
    assertThat(numbers.isEmpty()).isEqualTo(model.isEmpty());
    assertThat(numbers.length()).isEqualTo(model.isEmpty() ? 0 : model.lastKey() + 1);
    assertThat(numbers.members().stream().boxed()).containsExactlyElementsOf(model.keySet());
    assertThat(numbers.numbers()).containsExactly(ints(model));
    int runs = 0;
    Map.Entry<Integer, Integer> last = null;
    for (Map.Entry<Integer, Integer> each : model.entrySet()) {
      boolean goesOn =
          last != null
              && last.getKey() + 1 == each.getKey()
              && last.getValue().equals(each.getValue());
      runs += goesOn ? 0 : 1;
      last = each;
    }
    assertThat(numbers.runs()).hasSize(runs);
  }

  private static int[] ints(SortedMap<Integer, Integer> model) {
    return model.values().stream().mapToInt(Integer::intValue).toArray();
  }

  @Test
  void shouldHoldOneRunForManyMembersWithOneNumber() {
    List<MemberNumbers> parts = new ArrayList<>();
    for (int member = 9_999; member >= 0; member--) {
      parts.add(MemberNumbers.of(member, 5));
    }

    assertThat(MemberNumbers.of(parts).runs()).containsExactly(new MemberNumbers.Run(0, 10_000, 5));
  }

  @Test
  void shouldKeepTheRunThatBeginsFirstWhereTwoNameAMember() {
    MemberNumbers long3 = new MemberNumbers(List.of(new MemberNumbers.Run(2, 3, 3)));
    MemberNumbers long9 = new MemberNumbers(List.of(new MemberNumbers.Run(4, 3, 9)));

    assertThat(long9.and(long3).numbers()).containsExactly(3, 3, 3, 9, 9);
    assertThat(long3.and(MemberNumbers.of(3, 9))).isEqualTo(long3);
  }

  @ParameterizedTest
  @CsvSource({
    "-1, 1, 5, 1",
    "0, 0, 5, 1",
    "0, -1, 5, 1",
    "0, 1, 0, 1",
    "0, 3, 2, 1",
    "3, 1, 0, 1",
    "0, 1, 2147483647, 1",
    "0, 1, 1, 2147483647",
  })
  void shouldRefuseRunsThatAreOutOfOrder(int first, int count, int next, int nextCount) {
    List<MemberNumbers.Run> runs =
        List.of(new MemberNumbers.Run(first, count, 7), new MemberNumbers.Run(next, nextCount, 8));

    assertThatThrownBy(() -> new MemberNumbers(runs))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("do not follow those before");
  }

  @Test
  void shouldRefuseTwoRunsThatAreOne() {
    List<MemberNumbers.Run> runs =
        List.of(new MemberNumbers.Run(0, 2, 7), new MemberNumbers.Run(2, 1, 7));

    assertThatThrownBy(() -> new MemberNumbers(runs))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("are one run, not two");
  }
}
