package io.tagfabric.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SpendingTest {
  private static final int MESSAGES = 64;
  private static final int BYTES = 1 << 18;

  private byte[] last;

  private void allocate(int bytes) {
    for (int i = 0; i < MESSAGES; i++) {
      last = new byte[bytes];
    }
  }

  @Test
  void shouldCountWhatIsAllocatedBetweenBeginAndEndOnly() {
    Spending spending = new Spending();
    allocate(10 * BYTES);

    for (int run = 0; run < 2; run++) {
      spending.begin();
      allocate(BYTES);
      spending.end(MESSAGES);
      allocate(10 * BYTES);
    }

    assertThat(last).isNotEmpty();
    assertThat(spending.allocatedPerMessage()).isBetween((double) BYTES, 2.0 * BYTES);
    assertThat(spending.perMessage()).containsOnlyKeys("cpu_usec", "allocated");
    assertThat((double) spending.perMessage().get("cpu_usec")).isNotNegative();
  }
}
