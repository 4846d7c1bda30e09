package io.tagfabric.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CoreToCoreTest {
  @Test
  void shouldMeasureWhereThereAreTwoCoresAndLeaveNoThread() throws InterruptedException {
    double ns = CoreToCore.measureNs();

    if (Runtime.getRuntime().availableProcessors() < 2) {
      assertThat(ns).isNaN();
    } else {
      assertThat(ns).isPositive();
    }
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().equals("core-to-core")) {
        thread.join(10_000);
        assertThat(thread.isAlive()).isFalse();
      }
    }
  }
}
