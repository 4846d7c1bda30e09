package io.tagfabric.progress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WarningRateTest {
  private final ManualTime time = new ManualTime(Long.MAX_VALUE - 5);
  private final List<String> lines = new ArrayList<>();
  private final WarningRate rate = new WarningRate(lines::add, time);

  @Test
  void shouldWarnOnceASecondAndTellHowManyWereHeldBack() {
    rate.warn(() -> "one");
    rate.warn(() -> "two");
    rate.warn(() -> "three");
    assertThat(lines).containsExactly("one");

    time.advance(1_000_000_000L);
    rate.warn(() -> "four");
    time.advance(1_000_000_000L);
    rate.warn(() -> "five");

    assertThat(lines).containsExactly("one", "four; heldBack=2 such lines before this", "five");
  }
}
