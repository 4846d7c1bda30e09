package io.tagfabric.progress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How long a wait sleeps that has not had the loop yet; whoever has it need not know of it. */
class WaitBeforeEnteringTest {
  private static final long HOUR_NS = 3_600_000_000_000L;
  private static final int SLEEPS = 3;
  private static final long MOMENT_NS = 1_000_000L;

  private final CountDownLatch taken = new CountDownLatch(1);
  private final CountDownLatch given = new CountDownLatch(1);
  private final CountDownLatch free = new CountDownLatch(1);
  private final List<Long> sleeps = new ArrayList<>();
  private final TimeSource time =
      new TimeSource() {
        private long nowNs;

        @Override
        public long nanoTime() {
          return nowNs;
        }

        @Override
        public void park(Object blocker, long maxNs) {
          nowNs += maxNs;
          sleeps.add(maxNs);
          if (sleeps.size() == SLEEPS) {
            given.countDown();
            awaitLatch(free);
          }
        }

        @Override
        public void unpark(Thread sleeper) {}
      };
  private final ProgressLoop loop = new ProgressLoop(time);

  private static void awaitLatch(CountDownLatch latch) {
    try {
      assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void hold() {
    loop.tryEnter();
    taken.countDown();
    awaitLatch(given);
    loop.leave(false);
    free.countDown();
  }

  @Test
  @Timeout(20)
  void shouldSleepForAMomentUntilItHasHadTheLoop() throws InterruptedException {
    Thread holder = new Thread(this::hold, "holder");
    holder.start();
    awaitLatch(taken);

    boolean ended = loop.await(() -> sleeps.size() == 2 * SLEEPS, 2 * HOUR_NS, IdlePolicy.PARKING);

    holder.join();
    assertThat(ended).isTrue();
    assertThat(sleeps.subList(0, SLEEPS)).containsOnly(MOMENT_NS);
    assertThat(sleeps.subList(SLEEPS, 2 * SLEEPS))
        .isEqualTo(Collections.nCopies(SLEEPS, IdlePolicy.PARKING.maxParkNs()));
  }

  @Test
  void shouldSleepNoLongerThanItsPolicySays() throws InterruptedException {
    Thread holder = new Thread(this::hold, "holder");
    holder.start();
    awaitLatch(taken);

    loop.await(() -> sleeps.size() == SLEEPS, HOUR_NS, new IdlePolicy(0, 0, MOMENT_NS / 10));

    holder.join();
    assertThat(sleeps).containsOnly(MOMENT_NS / 10);
  }
}
