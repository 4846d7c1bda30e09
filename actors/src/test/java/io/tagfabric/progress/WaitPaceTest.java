package io.tagfabric.progress;

import static io.tagfabric.progress.WaitPace.CLOSE_NS;
import static io.tagfabric.progress.WaitPace.ENOUGH;
import static io.tagfabric.progress.WaitPace.PERIOD_NS;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WaitPaceTest {
  private final WaitPace pace = new WaitPace();

  /** Waits that end one after another, with a look after each; the answer to the last look. */
  private boolean lookAfterEach(int first, int waits, long fromNs, long apartNs) {
    boolean close = false;
    for (int i = 1; i <= waits; i++) {
      close = pace.isClose(first + i, fromNs + i * apartNs);
    }
    return close;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, Integer.MAX_VALUE - ENOUGH / 2})
  void shouldBeCloseAfterEnoughWaitsInAShortTime(int first) {
    pace.isClose(first, PERIOD_NS);
    assertThat(pace.isClose(first, 2 * PERIOD_NS)).isFalse();

    assertThat(lookAfterEach(first, ENOUGH - 1, 2 * PERIOD_NS, CLOSE_NS)).isFalse();
    assertThat(pace.isClose(first + ENOUGH, 2 * PERIOD_NS + ENOUGH * CLOSE_NS)).isTrue();
  }

  @Test
  void shouldNotBeCloseWhereAsManyTakeLonger() {
    pace.isClose(0, PERIOD_NS);

    assertThat(lookAfterEach(0, 10 * ENOUGH, PERIOD_NS, CLOSE_NS + 1)).isFalse();
  }

  @Test
  void shouldNotBeCloseAfterFewWaitsHoweverShort() {
    pace.isClose(0, PERIOD_NS);

    assertThat(pace.isClose(ENOUGH - 1, 2 * PERIOD_NS - 1)).isFalse();
    assertThat(pace.isClose(ENOUGH - 1, 2 * PERIOD_NS)).isFalse();
  }

  @Test
  void shouldNotBeCloseWhereALongSilenceCameBefore() {
    pace.isClose(0, PERIOD_NS);

    assertThat(pace.isClose(ENOUGH, 100 * PERIOD_NS)).isFalse();
  }

  @Test
  void shouldEndAPeriodAfterTheWaitsEnd() {
    pace.isClose(0, PERIOD_NS);
    long nowNs = PERIOD_NS + ENOUGH * CLOSE_NS;
    assertThat(pace.isClose(ENOUGH, nowNs)).isTrue();

    assertThat(pace.isClose(ENOUGH, nowNs + PERIOD_NS - 1)).isTrue();
    assertThat(pace.isClose(ENOUGH, nowNs + PERIOD_NS)).isFalse();
  }
}
