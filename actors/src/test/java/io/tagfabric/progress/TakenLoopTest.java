package io.tagfabric.progress;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.testkit.typed.javadsl.TestProbe;
import java.io.IOException;
import java.nio.channels.Pipe;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Threads with work for a loop that another thread has, which may wait for their core: they sleep
 * instead of trying again and again.
 */
class TakenLoopTest {
  private static final ActorTestKit KIT = ActorTestKit.create();
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long HOUR_NS = 3_600_000_000_000L;
  private static final long SHORT_NS = 1_000_000L;
  private static final AtomicInteger THREADS = new AtomicInteger();

  /** Tries between two sleeps: as many as a thread yields, and some around them. */
  private static final int MOST_TRIES = 8;

  private final AtomicInteger parks = new AtomicInteger();
  private final CountDownLatch enough = new CountDownLatch(20);
  private final ManualTime clock = new ManualTime(1_000);
  private ProgressLoop loop;
  private Pipe pipe;

  /** A clock that a test moves; sleeps are real and short. */
  private final TimeSource time =
      new TimeSource() {
        @Override
        public long nanoTime() {
          return clock.nanoTime();
        }

        @Override
        public void park(Object blocker, long maxNs) {
          LockSupport.parkNanos(blocker, Math.min(maxNs, SHORT_NS));
          parks.incrementAndGet();
          enough.countDown();
        }
      };

  /** Says that there is work whenever somebody is about to sleep in a channel. */
  private static final Doorbell REFUSES =
      new Doorbell() {
        @Override
        public boolean announce() {
          return false;
        }

        @Override
        public void withdraw() {}
      };

  @BeforeEach
  void begin() throws IOException {
    loop = new ProgressLoop(time);
    pipe = Pipe.open();
    pipe.source().configureBlocking(false);
    loop.watch(pipe.source());
  }

  @AfterEach
  void end() throws IOException {
    loop.unwatch(pipe.source());
    pipe.source().close();
    pipe.sink().close();
  }

  @AfterAll
  static void stop() {
    KIT.shutdownTestKit();
  }

  private ProgressThread.Handle startThread() {
    return ProgressThread.start(
        KIT.system(),
        "taken-" + THREADS.incrementAndGet(),
        loop,
        new IdlePolicy(0, 0, HOUR_NS),
        CoreSet.NONE,
        ProgressPacing.NONE);
  }

  private static ProgressThread.State state(ProgressThread.Handle thread) {
    TestProbe<ProgressThread.State> probe = KIT.createTestProbe();
    thread.ref().tell(new ProgressThread.GetState(probe.ref()));
    return probe.receiveMessage(PATIENCE);
  }

  private static void stop(ProgressThread.Handle thread) {
    thread.stop();
    KIT.createTestProbe().expectTerminated(thread.ref(), PATIENCE);
  }

  @Test
  void shouldKeepTheProgressThreadFromTryingAgainAndAgain() throws InterruptedException {
    loop.doorbell(REFUSES);
    assertThat(loop.tryEnter()).isTrue();
    ProgressThread.Handle thread = startThread();

    assertThat(enough.await(60, TimeUnit.SECONDS)).isTrue();

    long tries = state(thread).passes();
    assertThat(tries).isLessThan((long) MOST_TRIES * (parks.get() + 2));
    CountDownLatch ran = new CountDownLatch(1);
    loop.execute(ran::countDown);
    loop.leave(false);
    assertThat(ran.await(60, TimeUnit.SECONDS)).isTrue();
    loop.doorbell(null);
    stop(thread);
  }

  @Test
  void shouldKeepAThreadThatWaitsFromTryingAgainAndAgain() throws InterruptedException {
    loop.doorbell(REFUSES);
    CountDownLatch taken = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    Thread other =
        new Thread(
            () -> {
              if (loop.tryEnter()) {
                taken.countDown();
                try {
                  over.await();
                } catch (InterruptedException ended) {
                  Thread.currentThread().interrupt();
                }
                loop.leave(false);
              }
            });
    other.start();
    assertThat(taken.await(60, TimeUnit.SECONDS)).isTrue();
    AtomicInteger tries = new AtomicInteger();

    boolean held =
        loop.await(
            () -> {
              tries.incrementAndGet();
              return enough.getCount() == 0;
            },
            time.nanoTime() + HOUR_NS,
            new IdlePolicy(0, 0, HOUR_NS));

    assertThat(held).isTrue();
    assertThat(tries.get()).isLessThan(MOST_TRIES * (parks.get() + 2));
    over.countDown();
    other.join();
  }

  @Test
  void shouldLeaveTheLoopToWaitsThatAreClose() throws InterruptedException {
    AtomicInteger polls = new AtomicInteger();
    loop.addPoll(
        () -> {
          polls.incrementAndGet();
          return 0;
        });
    ProgressThread.Handle thread = startThread();
    long deadlineNs = System.nanoTime() + PATIENCE.toNanos();

    closeWaitsUntilSleeps(10, deadlineNs, loop::wake); // it may still sleep in the channel
    int before = polls.get();
    closeWaitsUntilSleeps(20, deadlineNs, () -> {});

    // it looks as often as it begins a period anew, not each time that it wakes
    assertThat(polls.get() - before).isLessThan(10);
    stop(thread);
  }

  /** Waits of which each takes a microsecond, until the thread has slept so often meanwhile. */
  private void closeWaitsUntilSleeps(int more, long deadlineNs, Runnable each) {
    int before = parks.get();
    while (parks.get() - before < more) {
      assertThat(System.nanoTime() - deadlineNs).as("the thread does not sleep").isNegative();
      loop.waited();
      clock.advance(1_000);
      each.run();
    }
  }
}
