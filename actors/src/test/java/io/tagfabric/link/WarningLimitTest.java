package io.tagfabric.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WarningLimitTest {
  private static final long SECOND_NS = 1_000_000_000L;

  private final List<String> lines = new ArrayList<>();
  private long nowNs = -5;
  private final WarningLimit limit =
      new WarningLimit(() -> nowNs, (weight, text) -> lines.add(weight + " " + text));

  @Test
  void shouldWarnOnceASecondAndCountWhatItHoldsBack() {
    limit.warn("a");
    limit.warn("b");
    nowNs += SECOND_NS - 1;
    limit.warn("c");
    nowNs++;
    limit.warn("d");

    assertThat(lines)
        .containsExactly(
            "WARNING a", "DETAIL b", "DETAIL c", "WARNING d; heldBack=2 such lines before this");
  }

  @Test
  void shouldCountAnewAfterAWarning() {
    limit.warn("a");
    limit.warn("b");
    nowNs += SECOND_NS;
    limit.warn("c");
    nowNs += SECOND_NS;
    limit.warn("d");

    assertThat(lines).endsWith("WARNING d");
  }
}
