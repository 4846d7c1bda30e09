package io.tagfabric.progress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** What is done is news for who waits; the resident driver sleeps on. */
class WakeWaitersTest {
  private static final long HOUR_NS = TimeUnit.HOURS.toNanos(1);
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);

  private final List<Thread> woken = new CopyOnWriteArrayList<>();
  private final ProgressLoop loop =
      new ProgressLoop(
          new TimeSource() {
            @Override
            public long nanoTime() {
              return System.nanoTime();
            }

            @Override
            public void unpark(Thread sleeper) {
              woken.add(sleeper);
              TimeSource.super.unpark(sleeper);
            }
          });

  private Thread asleep(Runnable body) {
    Thread thread = new Thread(body, "sleeper");
    thread.setDaemon(true);
    thread.start();
    long deadlineNs = System.nanoTime() + PATIENCE_NS;
    while (LockSupport.getBlocker(thread) != loop) {
      assertThat(System.nanoTime() - deadlineNs).as("it sleeps").isNegative();
      Thread.yield();
    }
    return thread;
  }

  @Test
  void shouldLetTheResidentDriverSleepWhenNothingIsLeftToDo() throws InterruptedException {
    Thread resident = asleep(() -> loop.parkResident(HOUR_NS));

    assertThat(loop.tryEnter()).isTrue();
    loop.wakeWaiters();
    loop.leave(false);
    loop.wakeWaiters();
    assertThat(woken).isEmpty();

    assertThat(loop.tryEnter()).isTrue();
    loop.wake();
    loop.leave(false);
    assertThat(woken).containsExactly(resident);
    resident.join(TimeUnit.NANOSECONDS.toMillis(PATIENCE_NS));
    assertThat(resident.isAlive()).isFalse();
  }

  @Test
  void shouldWakeWhoWaitsAfterAPassThatFoundNothingElse() throws InterruptedException {
    AtomicBoolean done = new AtomicBoolean();
    AtomicBoolean finishes = new AtomicBoolean();
    loop.addPoll(
        () -> {
          if (finishes.get()) {
            done.set(true);
            loop.wakeWaiters();
          }
          return 0;
        });
    Thread waiter =
        asleep(
            () ->
                loop.await(done::get, System.nanoTime() + HOUR_NS, new IdlePolicy(0, 0, HOUR_NS)));
    woken.clear();

    finishes.set(true);
    loop.advance();

    assertThat(woken).containsExactly(waiter);
    waiter.join(TimeUnit.NANOSECONDS.toMillis(PATIENCE_NS));
    assertThat(waiter.isAlive()).isFalse();
  }
}
