package io.tagfabric.cluster.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class WarmUpTest {
  private static final long FAST_NS = 100;
  private final WarmUp warmUp = new WarmUp(0, 1_000_000);

  @Test
  void shouldGoOnWhileRoundsGetFaster() {
    for (int round = 1; round <= 40; round++) {
      warmUp.add(10_000 - 200 * round);

      assertThat(warmUp.isOver()).as("after round %s", round).isFalse();
    }
  }

  @Test
  void shouldBeSteadyWhenFiveRoundsBroughtNothing() {
    for (long roundNs : new long[] {900, 500, 300, FAST_NS, FAST_NS}) {
      warmUp.add(roundNs);
    }
    for (int round = 0; round < 4; round++) {
      warmUp.add(FAST_NS);
      assertThat(warmUp.isSteady()).isFalse();
    }

    warmUp.add(FAST_NS);

    assertThat(warmUp.isSteady()).isTrue();
    assertThat(warmUp.bestNs()).isEqualTo(FAST_NS);
  }

  @Test
  void shouldNotBeMisledBySlowRoundsAmongFastOnes() {
    for (int round = 0; round < 10; round++) {
      warmUp.add(round % 3 == 0 ? FAST_NS : 50 * FAST_NS);
    }

    assertThat(warmUp.isSteady()).isTrue();
  }

  @Test
  void shouldEndWhenTheTimeIsUp() {
    warmUp.add(999_999);
    assertThat(warmUp.isOver()).isFalse();

    warmUp.add(1);

    assertThat(warmUp.isOver()).isTrue();
    assertThat(warmUp.isSteady()).isFalse();
  }

  @Test
  void shouldTakeItsLeastTimeWhenSteadyAtOnce() {
    WarmUp patient = new WarmUp(2_000, 1_000_000);
    for (int round = 0; round < 19; round++) {
      patient.add(FAST_NS);
      assertThat(patient.isOver()).isFalse();
    }

    patient.add(FAST_NS);

    assertThat(patient.isOver()).isTrue();
  }

  @Test
  void shouldRefuseALeastTimeAboveTheMost() {
    assertThatThrownBy(() -> new WarmUp(2, 1)).hasMessage("minNs=2 > maxNs=1");
  }
}
