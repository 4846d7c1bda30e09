package io.tagfabric.provider.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PortRangeTest {
  @Property
  void shouldTryEachPortOnceFromTheRanksPlaceOn(
      @ForAll @IntRange(min = 1, max = 65_535) int first,
      @ForAll @IntRange(max = 300) int more,
      @ForAll @IntRange(max = 5_000) int rank) {
    int last = Math.min(65_535, first + more);

    PortRange range = PortRange.parse(first + "-" + last);
    int[] turn = range.from(rank).inTurn().toArray();

    assertThat(PortRange.parse(range.toString())).isEqualTo(range);
    assertThat(turn[0]).isEqualTo(first + rank % (last - first + 1));
    assertThat(turn).hasSize(last - first + 1).doesNotHaveDuplicates();
    assertThat(IntStream.of(turn)).allMatch(port -> port >= first && port <= last);
    assertThat(range.inTurn().toArray()[0]).isEqualTo(first);
  }

  @Test
  void shouldTakeAnyPortOrOne() {
    assertThat(PortRange.parse("").from(7).inTurn()).containsExactly(0);
    assertThat(PortRange.parse("0").from(7).inTurn()).containsExactly(0);
    assertThat(PortRange.parse(" 4000 ").from(7).inTurn()).containsExactly(4000);
    assertThat(PortRange.parse("4000 - 4001").inTurn()).containsExactly(4000, 4001);
    assertThat(PortRange.parse("4000 - 4001")).hasToString("4000-4001");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x", "-1", "1-", "-", "0-5", "2-1", "65536", "1-65536", "1-2-3", "1,2", "123456", "1.5"
      })
  void shouldRefuseWhatIsNoRange(String text) {
    assertThatThrownBy(() -> PortRange.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("tagfabric.tcp.ports=" + text + " is neither");
  }
}
