package io.tagfabric.progress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.BitSet;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CoreSetTest {
  private static final int AVAILABLE = 16;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 | {0}",
        "0:3 | {0, 1, 2, 3}",
        "1:7:2,12 | {1, 3, 5, 7, 12}",
        "-1 | {15}",
        "-4:-1:3 | {12, 15}",
        "3, 3:4 | {3, 4}",
      })
  void shouldReadWhatPsmReads(String text, String cores) {
    assertThat(CoreSet.parse(text, AVAILABLE)).hasToString(cores);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "16 | names core 16 of 16, take 0 to 15 or -1 to -16",
        "-17 | names core -17 of 16",
        "3:1 | first=3 to last=1 by stride=1, which must go upwards",
        "0:3:0 | stride=0",
        "0:1:2:3 | more than first:last:stride",
        "all | is no set of cores",
        "1,,2 | is no set of cores",
      })
  void shouldSayWhatIsWrong(String text, String complaint) {
    assertThatThrownBy(() -> CoreSet.parse(text, AVAILABLE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(complaint);
  }

  @Test
  void shouldBindNothingWhenBlank() {
    assertThat(CoreSet.parse(" ", AVAILABLE)).isEqualTo(CoreSet.NONE);
    assertThat(CoreSet.NONE.isEmpty()).isTrue();
  }

  @Test
  void shouldFindPlacesAmongTheCoresThatAProcessMayUse() {
    CoreSet allowed = CoreSet.ofKernelList("2-3,8");

    assertThat(allowed).hasToString("{2, 3, 8}");
    assertThat(allowed.length()).isEqualTo(9);
    assertThat(allowed.nth(0)).isEqualTo(CoreSet.of(2));
    assertThat(allowed.nth(2)).isEqualTo(CoreSet.of(8));
    assertThat(allowed.nth(4)).isEqualTo(CoreSet.of(3));
  }

  @Test
  void shouldKnowTheCoresOfThisProcess() {
    assertThat(CoreSet.allowed().toBitSet().cardinality())
        .isGreaterThanOrEqualTo(Runtime.getRuntime().availableProcessors());
  }

  @Property
  void shouldHoldEachStrideFromFirstToLast(
      @ForAll @IntRange(max = 63) int first,
      @ForAll @IntRange(max = 63) int length,
      @ForAll @IntRange(min = 1, max = 9) int stride) {
    BitSet expected = new BitSet();
    IntStream.rangeClosed(first, first + length)
        .filter(core -> (core - first) % stride == 0)
        .forEach(expected::set);

    CoreSet read = CoreSet.parse(first + ":" + (first + length) + ":" + stride, 128);

    assertThat(read.toBitSet()).isEqualTo(expected);
  }
}
