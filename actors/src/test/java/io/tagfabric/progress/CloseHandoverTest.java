package io.tagfabric.progress;

import static io.tagfabric.progress.LoopSleepers.CLOSE_TIMES;
import static io.tagfabric.progress.LoopSleepers.HANDOVER_NS;
import static io.tagfabric.progress.LoopSleepers.QUIET_LOOKS;
import static io.tagfabric.progress.WaitPace.MOST_CLOSE_NS;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * How long the resident driver sleeps beside waits, told by a clock on which each sleep takes as
 * long as it may.
 */
class CloseHandoverTest {
  private static final long HOUR_NS = 3_600_000_000_000L;

  /** The longest sleep beside waits that are close. */
  private static final long CLOSE_HANDOVER_NS = MOST_CLOSE_NS / CLOSE_TIMES;

  /** Waits of this many nanoseconds follow one another without a gap. */
  private static final long WAIT_NS = 1_000;

  private static final class SleptTime implements TimeSource {
    private long nowNs;
    private long sleptNs;
    private int unparked;

    /** What happens while the resident driver sleeps. */
    private Runnable beside = () -> {};

    @Override
    public long nanoTime() {
      return nowNs;
    }

    @Override
    public void park(Object blocker, long maxNs) {
      sleptNs = maxNs;
      long endNs = nowNs + maxNs;
      beside.run();
      nowNs = endNs;
    }

    @Override
    public void unpark(Thread sleeper) {
      unparked++;
    }
  }

  private final SleptTime time = new SleptTime();
  private final LoopSleepers sleepers =
      new LoopSleepers(
          this,
          time,
          new LoopSleepers.Work() {
            @Override
            public boolean hasQueued() {
              return false;
            }

            @Override
            public long nextTimerNs() {
              return Long.MAX_VALUE;
            }
          });
  private Pipe pipe;

  @BeforeEach
  void watch() throws Exception {
    pipe = Pipe.open();
    pipe.source().configureBlocking(false);
    sleepers.watch(pipe.source(), SelectionKey.OP_READ, null);
  }

  @AfterEach
  void close() throws Exception {
    sleepers.unwatch(pipe.source());
    pipe.source().close();
    pipe.sink().close();
  }

  /** Waits end one after the other while the resident driver sleeps. */
  private void waitClosely() {
    time.beside = () -> endWaits(time.sleptNs);
  }

  private void endWaits(long forNs) {
    for (long ns = 0; ns < forNs; ns += WAIT_NS) {
      time.nowNs += WAIT_NS;
      sleepers.enterWait();
      sleepers.leaveWait();
    }
  }

  private long sleep() {
    assertThat(sleepers.parkResident(HOUR_NS)).isTrue();
    return time.sleptNs;
  }

  private void sleepUntilAsLongAs(long longNs) {
    int sleeps = 0;
    while (sleep() < longNs) {
      assertThat(++sleeps).as("sleeps shorter than %d ns", longNs).isLessThan(1_000);
    }
  }

  @Test
  void shouldSleepForAMillisecondBesideWaitsThatHaveJustBecomeClose() {
    waitClosely();
    endWaits(HANDOVER_NS);

    assertThat(sleep()).isEqualTo(HANDOVER_NS);
    assertThat(sleep()).isEqualTo(HANDOVER_NS);
  }

  @Test
  void shouldSleepForAnEighthOfTheTimeThatWaitsHaveBeenClose() {
    waitClosely();
    endWaits(HANDOVER_NS);

    for (int i = 0; i < 1_000 && time.nowNs < MOST_CLOSE_NS; i++) {
      long shareNs = time.nowNs / CLOSE_TIMES; // since the first moment
      assertThat(sleep()).isEqualTo(Math.max(HANDOVER_NS, shareNs));
    }
    assertThat(sleep()).isEqualTo(CLOSE_HANDOVER_NS);
    assertThat(sleep()).isEqualTo(CLOSE_HANDOVER_NS);
    assertThat(time.unparked).as("woken by a wait that ended").isZero();
  }

  @Test
  void shouldSleepHalfAsLongForEachLookThatFindsWaitsNotClose() {
    waitClosely();
    endWaits(HANDOVER_NS);
    sleepUntilAsLongAs(CLOSE_HANDOVER_NS);

    sleepers.enterWait(); // somebody waits for long, and drives
    time.beside = () -> {};
    sleep();
    assertThat(sleep()).isEqualTo(CLOSE_HANDOVER_NS / 2);
    assertThat(sleep()).isEqualTo(HANDOVER_NS);
    assertThat(sleep()).isEqualTo(HANDOVER_NS);
    sleepers.leaveWait();
    assertThat(time.unparked).as("woken by a wait that ended").isZero();
    waitClosely();
    endWaits(HANDOVER_NS);

    assertThat(sleep()).isEqualTo(HANDOVER_NS);
  }

  /** Where a compiler needs a core for some milliseconds, waits are not close meanwhile. */
  @Test
  void shouldSleepAsLongAsBeforeSoonAfterOneSuchLook() {
    waitClosely();
    endWaits(HANDOVER_NS);
    sleepUntilAsLongAs(CLOSE_HANDOVER_NS);

    sleepers.enterWait();
    time.beside = () -> {};
    sleep();
    assertThat(sleep()).isEqualTo(CLOSE_HANDOVER_NS / 2);
    sleepers.leaveWait();
    waitClosely();
    endWaits(CLOSE_HANDOVER_NS);

    for (int look = 0; look < CLOSE_TIMES; look++) {
      assertThat(sleep()).isGreaterThan(CLOSE_HANDOVER_NS / 2 - HANDOVER_NS);
    }
    assertThat(sleep()).isEqualTo(CLOSE_HANDOVER_NS);
  }

  @Test
  void shouldLookSomeTimesBeforeItSleepsLongBesideAWait() {
    sleepers.enterWait();

    for (int round = 0; round < 2; round++) {
      for (int look = 0; look < QUIET_LOOKS; look++) {
        assertThat(sleep()).as("look %d", look).isEqualTo(HANDOVER_NS);
      }
      assertThat(sleep()).isEqualTo(2 * HANDOVER_NS);
      assertThat(sleep()).isEqualTo(4 * HANDOVER_NS);
      sleepers.leaveWait();
      sleepers.enterWait();
      assertThat(sleep()).as("a wait has ended").isEqualTo(HANDOVER_NS);
    }
  }

  /** A message now and then: to wake the resident driver behind each would take longer than it. */
  @Test
  void shouldNotBeWokenByWaitsThatEndNowAndThen() {
    sleepers.enterWait();
    for (int wait = 0; wait < 100; wait++) {
      for (int look = 1; look < QUIET_LOOKS; look++) {
        sleep();
      }
      time.beside =
          () -> {
            sleepers.leaveWait();
            sleepers.enterWait();
          };
      sleep();
      time.beside = () -> {};
    }

    assertThat(time.unparked).isZero();
  }

  @Test
  void shouldBeWokenByAWaitThatEndsWhileItSleepsLongBesideAnother() {
    sleepers.enterWait();
    sleepUntilAsLongAs(CLOSE_HANDOVER_NS + 1);
    time.beside = sleepers::leaveWait;
    sleepers.parkResident(HOUR_NS);

    assertThat(time.unparked).as("a wait has ended, nobody drives").isPositive();
  }
}
