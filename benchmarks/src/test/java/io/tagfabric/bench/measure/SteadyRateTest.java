package io.tagfabric.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SteadyRateTest {
  private final SteadyRate steady = new SteadyRate();

  private void add(double... rates) {
    for (double rate : rates) {
      steady.add(rate);
    }
  }

  @Test
  void shouldNotTrustFewRounds() {
    add(5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5);
    assertThat(steady.isSteady()).isFalse();
    add(5);
    assertThat(steady.isSteady()).isTrue();
  }

  @Test
  void shouldWaitWhileTheBestGetsBetter() {
    add(5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5.3);
    assertThat(steady.isSteady()).isFalse();
    add(5.3, 5.3, 5.3, 5.3, 5.3);
    assertThat(steady.isSteady()).isFalse();
    add(5.3);
    assertThat(steady.isSteady()).isTrue();
  }

  @Test
  void shouldIgnoreRoundsThatNoiseHasMadeWorse() {
    add(5, 5, 5, 5, 5, 5, 1, 2, 5.1, 3, 1, 1);
    assertThat(steady.isSteady()).isTrue();
  }
}
