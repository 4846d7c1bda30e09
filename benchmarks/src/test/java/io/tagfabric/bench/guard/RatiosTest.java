package io.tagfabric.bench.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RatiosTest {
  @Provide
  Arbitrary<List<Double>> ratios() {
    // few values, so that they meet each other and the limits
    return Arbitraries.integers()
        .between(97, 108)
        .map(hundredths -> hundredths / 100.0)
        .list()
        .ofMinSize(1)
        .ofMaxSize(21);
  }

  @Provide
  Arbitrary<Double> largest() {
    return Arbitraries.integers().between(98, 106).map(hundredths -> hundredths / 100.0);
  }

  @Property
  void shouldJudgeAsTheRuleIsSaid(
      @ForAll("ratios") List<Double> ratios, @ForAll("largest") double largest) {
    Ratios pairs = new Ratios(ratios);

    assertThat(pairs.median()).isEqualTo(medianByPeeling(ratios));
    assertThat(pairs.areSlower(largest)).isEqualTo(areSlower(ratios, largest));
    assertThat(pairs.min()).isEqualTo(Collections.min(ratios));
    assertThat(pairs.max()).isEqualTo(Collections.max(ratios));
  }

  @Property
  void shouldDecideEarlyOnlyWhatAllOfThemWouldDecide(
      @ForAll("ratios") List<Double> all, @ForAll("largest") double largest) {
    int planned = all.size();
    for (int count = 1; count <= planned; count++) {
      Ratios first = new Ratios(all.subList(0, count));
      if (first.areFine(planned)) {
        assertThat(areSlower(all, largest)).as("fine by %s", first).isFalse();
      }
      if (first.arePlain(planned)) {
        assertThat(medianByPeeling(all)).as("plain by %s", first).isLessThanOrEqualTo(1.03);
        assertThat(first.median()).isLessThanOrEqualTo(1.03);
      }
    }
  }

  @Test
  void shouldDecideAsSoonAsTheRestCannotChangeIt() {
    List<Double> ratios = List.of(1.2, 1.0, 1.2, 0.9);

    assertThat(new Ratios(ratios.subList(0, 3)).areFine(10)).isFalse();
    assertThat(new Ratios(ratios).areFine(10)).isTrue();
    assertThat(new Ratios(ratios).areFine(20)).as("one more is allowed").isFalse();
    assertThat(new Ratios(Collections.nCopies(5, 1.03)).arePlain(10)).isFalse();
    assertThat(new Ratios(Collections.nCopies(6, 1.03)).arePlain(10)).isTrue();
    assertThat(new Ratios(Collections.nCopies(10, 1.04)).arePlain(10)).isFalse();
  }

  /** Of the pairs in which this build was not slower there may be one in each ten. */
  private static boolean areSlower(List<Double> ratios, double largest) {
    int notAbove = 0;
    for (double ratio : ratios) {
      if (ratio <= 1) {
        notAbove++;
      }
    }
    boolean enough = notAbove <= ratios.size() / 10;
    double median = medianByPeeling(ratios);
    return median > 1.03 && median > largest && enough;
  }

  private static double medianByPeeling(List<Double> values) {
    List<Double> left = new ArrayList<>(values);
    while (left.size() > 2) {
      left.remove(Collections.min(left));
      left.remove(Collections.max(left));
    }
    return left.size() == 1 ? left.get(0) : (left.get(0) + left.get(1)) / 2;
  }

  @ParameterizedTest
  @CsvSource({
    "10, 0, 1.00, true",
    "9, 1, 1.00, true",
    "8, 2, 1.00, false",
    "18, 2, 1.00, true",
    "17, 3, 1.00, false",
    "3, 0, 1.00, true",
    "2, 1, 1.00, false",
    "10, 0, 1.10, false",
    "10, 0, 1.09, true",
  })
  void shouldWantNineOfTenPairsAndMoreThanTheDifferenceFromItself(
      int slower, int not, double largest, boolean expected) {
    List<Double> ratios =
        Stream.concat(
                Collections.nCopies(slower, 1.10).stream(), Collections.nCopies(not, 1.0).stream())
            .toList();

    assertThat(new Ratios(ratios).areSlower(largest)).isEqualTo(expected);
  }

  @Test
  void shouldTakeThreeHundredthsForNoSlowdown() {
    assertThat(new Ratios(Collections.nCopies(10, 1.03)).areSlower(0.5)).isFalse();
    assertThat(new Ratios(Collections.nCopies(10, 1.0301)).areSlower(0.5)).isTrue();
  }

  @Test
  void shouldRefuseWhatIsNoRatio() {
    for (List<Double> ratios : List.of(List.<Double>of(), List.of(0.0), List.of(Double.NaN))) {
      assertThatThrownBy(() -> new Ratios(ratios))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("must be some, all greater than 0");
    }
  }
}
