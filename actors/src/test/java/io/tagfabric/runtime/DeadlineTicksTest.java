package io.tagfabric.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

/** When a task is due that Akka repeats for itself. */
class DeadlineTicksTest {
  private static final long YEARS_NS = 1L << 60;

  @Property
  void shouldBeTheNearestMultipleOfTheDelay(
      @ForAll @LongRange(min = -YEARS_NS, max = YEARS_NS) long nowNs,
      @ForAll @LongRange(min = 1, max = 1_000_000_000_000L) long delayNs) {
    long tickNs = DeadlineScheduler.tickNs(nowNs, delayNs);

    assertThat(Math.floorMod(tickNs, delayNs)).isZero();
    assertThat(2 * (tickNs - nowNs - delayNs)).isBetween(-delayNs, delayNs);
  }

  @Property
  void shouldFollowOnTheOneBeforeWhenThatRanLateByLessThanHalfTheDelay(
      @ForAll @LongRange(min = -1_000_000, max = 1_000_000) long tick,
      @ForAll @LongRange(min = 1, max = 1_000_000_000L) long delayNs,
      @ForAll @LongRange(min = 0, max = 999_999) long lateness) {
    long tickNs = tick * delayNs;
    long lateNs = delayNs / 2 * lateness / 1_000_000;

    assertThat(DeadlineScheduler.tickNs(tickNs + lateNs, delayNs)).isEqualTo(tickNs + delayNs);
  }
}
