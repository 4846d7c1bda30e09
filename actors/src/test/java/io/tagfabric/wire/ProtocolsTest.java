package io.tagfabric.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ProtocolsTest {
  @Property
  void shouldAgreeOnTheGreatestNumberOfBoth(
      @ForAll @IntRange(min = 1, max = 9) int from,
      @ForAll @IntRange(max = 4) int more,
      @ForAll @IntRange(min = 1, max = 9) int otherFrom,
      @ForAll @IntRange(max = 4) int otherMore) {
    Protocols one = new Protocols(from, from + more);
    Protocols other = new Protocols(otherFrom, otherFrom + otherMore);

    assertThat(one.common(other))
        .isEqualTo(
            IntStream.rangeClosed(from, from + more)
                .filter(number -> number >= otherFrom && number <= otherFrom + otherMore)
                .max())
        .isEqualTo(other.common(one));
  }

  @Test
  void shouldBeARange() {
    assertThat(Protocols.own()).isEqualTo(new Protocols(7, 7)).hasToString("7");
    assertThat(new Protocols(7, 8)).hasToString("7..8");
    assertThatThrownBy(() -> new Protocols(8, 7)).hasMessage("protocols=8..7 is no range");
    assertThatThrownBy(() -> new Protocols(0, 7)).hasMessage("protocols=0..7 is no range");
  }
}
