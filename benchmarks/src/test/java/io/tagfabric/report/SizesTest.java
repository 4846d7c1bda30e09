package io.tagfabric.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class SizesTest {
  @Test
  void shouldReadSizesInTheOrderGiven() {
    assertThat(Sizes.parse("64k, 8,1K,1m,0,1g"))
        .containsExactly(65536, 8, 1024, 1 << 20, 0, 1 << 30);
  }

  @Test
  void shouldNameThePowersOfTwoOfARange() {
    assertThat(Sizes.parse("1..4m")).hasSize(23).startsWith(1, 2, 4, 8).endsWith(2 << 20, 4 << 20);
    assertThat(Sizes.parse("1k..1k")).containsExactly(1024);
    assertThat(Sizes.parse("0, 3 .. 20, 7")).containsExactly(0, 4, 8, 16, 7);
    assertThat(Sizes.parse("512m..1g")).containsExactly(1 << 29, 1 << 30);
  }

  @Test
  void shouldRefuseARangeWithoutAPowerOfTwo() {
    for (String range : List.of("4..2", "5..7", "0..0")) {
      assertThatThrownBy(() -> Sizes.parse("8," + range))
          .hasMessage(
              "'"
                  + range
                  + "' has no power of two, give bytes such as 8,1k,64k,1m or 1..4m or all");
    }
    assertThatThrownBy(() -> Sizes.parse("1..2g")).hasMessageStartingWith("size=2g > 1g,");
    assertThatThrownBy(() -> Sizes.parse("1..")).hasMessageStartingWith("'' is no size");
    assertThatThrownBy(() -> Sizes.parse("1..2..4")).hasMessageStartingWith("'2..4' is no size");
  }

  @Test
  void shouldNamePowersOfTwoAndTheirMiddlesWhenAllAreAskedFor() {
    assertThat(Sizes.parse("all"))
        .startsWith(1, 2, 3, 4, 6, 8, 12, 16, 24)
        .endsWith(4 << 20, 6 << 20, 8 << 20)
        .isSorted()
        .doesNotHaveDuplicates();
  }

  @Test
  void shouldSayWhatASizeLooksLikeWhenAWordIsNone() {
    assertThatThrownBy(() -> Sizes.parse("8,12q"))
        .hasMessage("'12q' is no size, give bytes such as 8,1k,64k,1m or 1..4m or all");
    assertThatThrownBy(() -> Sizes.parse("8,,9")).hasMessageStartingWith("'' is no size");
    assertThatThrownBy(() -> Sizes.parse("-8")).hasMessageStartingWith("'-8' is no size");
  }

  @Test
  void shouldRefuseASizeThatNoMessageHas() {
    assertThatThrownBy(() -> Sizes.parse("2g")).hasMessageStartingWith("size=2g > 1g,");
    assertThatThrownBy(() -> Sizes.parse("9999999999g"))
        .hasMessageStartingWith("size=9999999999g > 1g,");
  }

  @Test
  void shouldWriteSizesShortly() {
    assertThat(Sizes.format(0)).isEqualTo("0");
    assertThat(Sizes.format(1023)).isEqualTo("1023");
    assertThat(Sizes.format(1536)).isEqualTo("1.5k");
    assertThat(Sizes.format(65536)).isEqualTo("64k");
    assertThat(Sizes.format(5L << 40)).isEqualTo("5120g");
    assertThat(Sizes.formatCount(12_345)).isEqualTo("12k");
    assertThat(Sizes.formatCount(1_000_000)).isEqualTo("1m");
  }

  @Property
  void shouldReadBackWhatItWroteWhenAUnitDividesIt(@ForAll @LongRange(min = 1, max = 1023) long n) {
    for (int shift = 0; shift <= 20; shift += 10) {
      assertThat(Sizes.parse(Sizes.format(n << shift))).containsExactly((int) (n << shift));
    }
  }
}
