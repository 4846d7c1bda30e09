package io.tagfabric.wire;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class FlowKeyTest {
  @Property(tries = 200)
  void shouldKeepTheNumberAndTheFreeBit(
      @ForAll @IntRange int number, @ForAll int isolation, @ForAll long incarnation) {
    long key = FlowKey.of(number, isolation, incarnation);

    assertThat(FlowKey.number(key)).isEqualTo(number);
    assertThat(key & FlowKey.DATA_BIT).isZero();
    assertThat(FlowKey.number(key | FlowKey.DATA_BIT)).isEqualTo(number);
  }

  /** The check is what a stranger would have to guess. */
  @Test
  void shouldTellJobsAndIncarnationsApart() {
    long key = FlowKey.of(3, 20, 1_000);

    assertThat(FlowKey.of(3, 21, 1_000)).isNotEqualTo(key);
    assertThat(FlowKey.of(3, 20 ^ 1 << 31, 1_000)).isNotEqualTo(key);
    assertThat(FlowKey.of(4, 20, 1_000)).isNotEqualTo(key);
    for (int bit = 0; bit < 64; bit++) {
      assertThat(FlowKey.of(3, 20, 1_000 ^ 1L << bit)).as("bit %d", bit).isNotEqualTo(key);
    }
  }

  @Test
  void shouldSpreadSmallIncarnationsOverTheCheck() {
    int[] ones = new int[32];
    for (int incarnation = 1; incarnation <= 1_000; incarnation++) {
      long check = FlowKey.of(0, 0, incarnation) >>> 32;
      for (int bit = 0; bit < 32; bit++) {
        ones[bit] += (check >>> bit & 1) == 1 ? 1 : 0;
      }
    }
    for (int bit = 0; bit < 32; bit++) {
      assertThat(ones[bit]).as("bit %d", bit).isBetween(350, 650);
    }
  }

  @Test
  void shouldGiveTheSameKeyOnBothSides() {
    assertThat(FlowKey.of(5, 0, 0)).isEqualTo(5);
    assertThat(FlowKey.of(5, 6, 0)).isEqualTo(6L << 32 | 5);
    assertThat(FlowKey.of(0, 0, 1)).isEqualTo(0x9E3779B900000000L);
  }
}
