package io.tagfabric.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class PairsComparisonTest {
  private static byte[] out(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void shouldFindTheFigureOfSoManyPairs() throws ContenderException {
    byte[] out = out("a banner\npairs 12 3e6\npairs 1 2.5e6\n");

    assertThat(PairsComparison.figure(out, 1, "us")).isEqualTo(2.5e6);
  }

  @Test
  void shouldSayWhoGaveNoFigure() {
    assertThatThrownBy(() -> PairsComparison.figure(out("pairs 2 5"), 4, "openmpi"))
        .isInstanceOf(ContenderException.class)
        .hasMessage("openmpi ended without a figure for 4 pairs");
  }
}
