package io.tagfabric.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class WarmUpTest {
  private static final long FAST_NS = 100;
  private final WarmUp warmUp = new WarmUp(0, 1_000_000, () -> 0);

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
    WarmUp patient = new WarmUp(2_000, 1_000_000, () -> 0);
    for (int round = 0; round < 19; round++) {
      patient.add(FAST_NS);
      assertThat(patient.isOver()).isFalse();
    }

    patient.add(FAST_NS);

    assertThat(patient.isOver()).isTrue();
  }

  @Test
  void shouldGoOnWhileCompilersWork() {
    AtomicLong compilingNs = new AtomicLong(5_000);
    WarmUp compiling = new WarmUp(0, 1_000_000, compilingNs::get);
    for (int round = 0; round < 20; round++) {
      compilingNs.addAndGet(FAST_NS / 2);
      compiling.add(FAST_NS);
      assertThat(compiling.isOver()).isFalse();
    }
    for (int round = 0; round < 7; round++) {
      compiling.add(FAST_NS);
      assertThat(compiling.isOver()).as("after round %s", round).isFalse();
    }

    // three of ten rounds at half a core, then two: a tenth
    compiling.add(FAST_NS);

    assertThat(compiling.isOver()).isTrue();
  }

  @Test
  void shouldKnowTheCompilersOfThisJvm() {
    WarmUp ofThisJvm = new WarmUp(0, Long.MAX_VALUE);
    for (int round = 0; round < 10; round++) {
      ofThisJvm.add(TimeUnit.MINUTES.toNanos(1));
    }

    assertThat(ofThisJvm.isSteady()).isTrue();
  }

  @Test
  void shouldRefuseALeastTimeAboveTheMost() {
    assertThatThrownBy(() -> new WarmUp(2, 1)).hasMessage("minNs=2 > maxNs=1");
  }
}
