package io.tagfabric.job;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BarrierRollTest {
  private final BarrierRoll roll = new BarrierRoll(3);

  @Test
  void shouldReleaseWhenTheLastComes() {
    assertThat(roll.enter(1, 2)).isFalse();
    assertThat(roll.enter(1, 0)).isFalse();
    assertThat(roll.missing()).containsExactly(1);
    assertThat(roll.enter(1, 1)).isTrue();
  }

  @Test
  void shouldCountARankOnceHoweverOftenItComes() {
    roll.enter(1, 0);
    roll.enter(1, 0);

    assertThat(roll.enter(1, 0)).isFalse();
    assertThat(roll.missing()).containsExactly(1, 2);
  }

  @Test
  void shouldTellALateAskerThatABarrierIsReleased() {
    roll.enter(1, 0);
    roll.enter(1, 1);
    roll.enter(1, 2);
    roll.enter(2, 0);

    assertThat(roll.enter(1, 2)).isTrue();
    assertThat(roll.missing()).containsExactly(1, 2);
  }

  @Test
  void shouldReleaseAJobOfOneAtOnce() {
    BarrierRoll alone = new BarrierRoll(1);

    assertThat(alone.enter(1, 0)).isTrue();
    assertThat(alone.enter(2, 0)).isTrue();
  }
}
