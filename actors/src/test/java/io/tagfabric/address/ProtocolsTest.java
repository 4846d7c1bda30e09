package io.tagfabric.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.OptionalInt;
import java.util.stream.IntStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class ProtocolsTest {
  @Property
  void shouldFindTheHighestCommonNumber(
      @ForAll @IntRange(min = 1, max = 20) int least,
      @ForAll @IntRange(max = 5) int more,
      @ForAll @IntRange(min = 1, max = 20) int otherLeast,
      @ForAll @IntRange(max = 5) int otherMore) {
    Protocols one = new Protocols(least, least + more);
    Protocols other = new Protocols(otherLeast, otherLeast + otherMore);

    OptionalInt expected =
        IntStream.rangeClosed(1, 25)
            .filter(number -> one.contains(number) && other.contains(number))
            .max();
    assertThat(one.common(other)).isEqualTo(expected);
    assertThat(other.common(one)).isEqualTo(expected);
  }

  @Property
  void shouldReadWhatItHasWritten(
      @ForAll @IntRange(min = 1, max = 32_767) int one,
      @ForAll @IntRange(min = 1, max = 32_767) int other) {
    Protocols range = new Protocols(Math.min(one, other), Math.max(one, other));

    assertThat(Protocols.parse(range.toString())).isEqualTo(range);
  }

  @Example
  void shouldWriteOneNumberOnce() {
    assertThat(new Protocols(7, 7)).hasToString("7");
    assertThat(new Protocols(7, 8)).hasToString("7..8");
    assertThat(Protocols.parse("7")).isEqualTo(new Protocols(7, 7));
  }

  @Example
  void shouldRefuseWhatIsNoRange() {
    for (String text :
        new String[] {"", "x", "7..", "..7", "7..8..9", "7-8", "0", "8..7", "32768"}) {
      assertThatIllegalArgumentException()
          .as(text)
          .isThrownBy(() -> Protocols.parse(text))
          .withMessageContaining("no range");
    }
  }
}
