package io.tagfabric.progress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** A paced thread on a clock of the test's own. */
class WakeUpPaceTest {
  private static final long SECOND_NS = 1_000_000_000L;
  private static final long PASS_NS = 1_000;

  /** What a progress thread does, with work that comes at given times. */
  private static final class Sleeper {
    final List<Long> wakeUps = new ArrayList<>();
    long handled;
    private final WakeUpPace pace;
    private final long[] arrivals;
    private final Random others;
    private long nowNs;
    private int next;
    private long lateAtNs = Long.MAX_VALUE;
    private long lateByNs;

    Sleeper(ProgressPacing pacing, long[] arrivals, Random others) {
      this.others = others;
      pace = new WakeUpPace(pacing, 0);
      this.arrivals = arrivals;
    }

    /** From a time on it gets no core for a while, once. */
    Sleeper lateAt(long timeNs, long byNs) {
      lateAtNs = timeNs;
      lateByNs = byNs;
      return this;
    }

    Sleeper runUntil(long endNs) {
      while (nowNs < endNs) {
        if (nowNs >= lateAtNs) {
          nowNs += lateByNs;
          lateAtNs = Long.MAX_VALUE;
        }
        boolean work = next < arrivals.length && arrivals[next] <= nowNs;
        if (work) {
          next++;
          handled++;
          if (!others.nextBoolean()) {
            pace.worked(); // else others have done it when this one looks
          }
        }
        nowNs += PASS_NS;
        if (!work || pace.isDue(nowNs)) {
          if (work) {
            pace.restIsDue(nowNs);
          }
          sleep(endNs);
        }
      }
      return this;
    }

    private void sleep(long endNs) {
      long untilNs;
      if (pace.idle(nowNs) == WakeUpPace.Idle.REST) {
        untilNs = pace.nextNs();
      } else {
        untilNs = next < arrivals.length ? arrivals[next] : endNs;
      }
      if (untilNs > nowNs) {
        nowNs = untilNs;
        wakeUps.add(nowNs);
        pace.woke(nowNs);
      } else if (pace.idle(nowNs) == WakeUpPace.Idle.REST) {
        pace.woke(nowNs);
      }
    }
  }

  /** All work is left to it. */
  private static final class NoOthers extends Random {
    private static final long serialVersionUID = 1;

    @Override
    public boolean nextBoolean() {
      return false;
    }
  }

  private static long[] flood(long fromNs, long toNs) {
    long[] arrivals = new long[(int) ((toNs - fromNs) / PASS_NS)];
    for (int i = 0; i < arrivals.length; i++) {
      arrivals[i] = fromNs + i * PASS_NS;
    }
    return arrivals;
  }

  @Test
  void shouldWakeAtTheRateWhenWorkNeverEnds() {
    Sleeper sleeper =
        new Sleeper(ProgressPacing.NONE.withRate(100), flood(0, SECOND_NS), new NoOthers())
            .runUntil(SECOND_NS);

    assertThat(sleeper.wakeUps.size()).isBetween(99, 101);
    assertThat(sleeper.handled).isGreaterThan(SECOND_NS / PASS_NS / 2);
  }

  @Test
  void shouldMakeUpForBeingLate() {
    Sleeper sleeper =
        new Sleeper(ProgressPacing.NONE.withRate(100), flood(0, SECOND_NS), new NoOthers())
            .lateAt(SECOND_NS / 10, SECOND_NS / 25)
            .runUntil(SECOND_NS);

    assertThat(sleeper.wakeUps.size()).isBetween(99, 101);
  }

  @Test
  void shouldMakeUpForFiveTokensAtMost() {
    Sleeper sleeper =
        new Sleeper(ProgressPacing.NONE.withRate(100), flood(0, SECOND_NS), new NoOthers())
            .lateAt(SECOND_NS / 10, SECOND_NS / 2)
            .runUntil(SECOND_NS);

    assertThat(sleeper.wakeUps.size()).isBetween(50 + 4, 50 + 6);
  }

  @Test
  void shouldSaveNoTokensWhileThereIsNoWork() {
    Sleeper sleeper =
        new Sleeper(
                ProgressPacing.NONE.withRate(100), flood(SECOND_NS / 2, SECOND_NS), new NoOthers())
            .runUntil(SECOND_NS);

    assertThat(sleeper.wakeUps.size()).isBetween(50, 52);
  }

  @Test
  void shouldMakeUpForNothingWhenItWakesByTheClock() {
    long intervalNs = 10_000_000;
    long lateByNs = 43_000_000;
    Sleeper sleeper =
        new Sleeper(ProgressPacing.NONE.withInterval(intervalNs), new long[0], new NoOthers())
            .lateAt(SECOND_NS / 10, lateByNs)
            .runUntil(SECOND_NS);

    long againNs = SECOND_NS / 10 + lateByNs;
    assertThat(sleeper.wakeUps.size()).isBetween(95, 97);
    assertThat(sleeper.wakeUps)
        .as("a whole interval passes after it was late")
        .noneMatch(timeNs -> timeNs > againNs && timeNs < againNs + intervalNs);
  }

  @Test
  void shouldSleepWithoutAnEndWhenThereIsNoWork() {
    Sleeper sleeper =
        new Sleeper(ProgressPacing.NONE.withRate(100), new long[] {SECOND_NS / 2}, new NoOthers())
            .runUntil(SECOND_NS);

    assertThat(sleeper.wakeUps.size()).isLessThanOrEqualTo(3);
    assertThat(sleeper.wakeUps).contains(SECOND_NS / 2);
    assertThat(sleeper.handled).isOne();
  }

  @Test
  void shouldWakeAtEachIntervalThoughThereIsNoWork() {
    Sleeper sleeper =
        new Sleeper(ProgressPacing.NONE.withInterval(1_000_000), new long[0], new NoOthers())
            .runUntil(SECOND_NS);

    assertThat(sleeper.wakeUps.size()).isBetween(998, 1_000);
  }

  @Property(tries = 300)
  void shouldNeverWakeMoreOftenThanTheRateOnAverage(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 2_000) int rate,
      @ForAll @IntRange(min = 1, max = 5_000) int messages,
      @ForAll @IntRange(min = 0, max = 300) int lateByMs) {
    Random random = new Random(seed);
    long meanNs = SECOND_NS / messages;
    long[] arrivals = new long[messages];
    long atNs = 0;
    for (int i = 0; i < messages; i++) {
      atNs += random.nextBoolean() ? 0 : (long) (meanNs * 2 * random.nextDouble());
      arrivals[i] = atNs;
    }
    Sleeper sleeper =
        new Sleeper(ProgressPacing.NONE.withRate(rate), arrivals, random)
            .lateAt(SECOND_NS / 3, lateByMs * 1_000_000L)
            .runUntil(3 * SECOND_NS);

    long periodNs = SECOND_NS / rate;
    int late = lateByMs == 0 ? 0 : 5;
    for (int from = 0; from < sleeper.wakeUps.size(); from += 7) {
      for (int to = from + 1; to < sleeper.wakeUps.size(); to += 5) {
        long spanNs = sleeper.wakeUps.get(to) - sleeper.wakeUps.get(from);
        assertThat((long) (to - from)).isLessThanOrEqualTo(spanNs / periodNs + 2 + late);
      }
    }
    assertThat(sleeper.handled).as("nothing is left behind").isEqualTo(messages);
  }
}
