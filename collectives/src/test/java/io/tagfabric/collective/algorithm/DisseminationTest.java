package io.tagfabric.collective.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.BitSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DisseminationTest {
  @ParameterizedTest
  @CsvSource({"1,0", "2,1", "3,2", "4,2", "5,3", "8,3", "9,4", "33,6", "1073741825,31"})
  void shouldTakeTheLogarithmRoundedUp(int size, int rounds) {
    assertThat(new Dissemination(0, size).rounds()).isEqualTo(rounds);
  }

  @Property
  void shouldLetEveryRankHearOfEveryOther(@ForAll @IntRange(min = 1, max = 130) int size) {
    BitSet[] heard = new BitSet[size];
    for (int rank = 0; rank < size; rank++) {
      heard[rank] = new BitSet(size);
      heard[rank].set(rank);
    }
    for (int round = 0; round < new Dissemination(0, size).rounds(); round++) {
      BitSet[] before = new BitSet[size];
      for (int rank = 0; rank < size; rank++) {
        before[rank] = (BitSet) heard[rank].clone();
      }
      for (int rank = 0; rank < size; rank++) {
        heard[new Dissemination(rank, size).to(round)].or(before[rank]);
      }
    }
    assertThat(heard).allSatisfy(ranks -> assertThat(ranks.cardinality()).isEqualTo(size));
  }

  @Property
  void shouldHearTheRankThatTells(
      @ForAll @IntRange(min = 2, max = 2_000_000_000) int size,
      @ForAll @IntRange(min = 0) int any) {
    int rank = any % size;
    Dissemination self = new Dissemination(rank, size);
    for (int round = 0; round < self.rounds(); round++) {
      assertThat(self.to(round)).isBetween(0, size - 1).isNotEqualTo(rank);
      assertThat(new Dissemination(self.to(round), size).from(round)).isEqualTo(rank);
    }
  }

  @Test
  void shouldRefuseARankOutsideTheGroup() {
    assertThatThrownBy(() -> new Dissemination(3, 3))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("rank=3 is outside 0..2");
  }
}
