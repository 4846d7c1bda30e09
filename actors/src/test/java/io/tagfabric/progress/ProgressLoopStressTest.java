package io.tagfabric.progress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Sleeps last an hour here: a lost wake-up shows as a test that does not end. */
class ProgressLoopStressTest {
  private static final int ROUNDS = 5_000;
  private static final long HOUR_NS = 3_600_000_000_000L;
  private static final IdlePolicy PARKING = new IdlePolicy(0, 0, HOUR_NS);
  private static final IdlePolicy YIELDING = new IdlePolicy(1_000, 20_000, HOUR_NS);

  private final ProgressLoop loop = new ProgressLoop(TimeSource.SYSTEM);
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private volatile boolean stopResident;

  private Thread start(String name, Runnable body) {
    Thread thread =
        new Thread(
            () -> {
              try {
                body.run();
              } catch (Throwable e) {
                failure.compareAndSet(null, e);
              }
            },
            name);
    thread.setDaemon(true);
    threads.add(thread);
    thread.start();
    return thread;
  }

  private void join() throws InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
    threads.clear();
    assertThat(failure.get()).isNull();
  }

  @AfterEach
  void stop() throws InterruptedException {
    stopResident = true;
    loop.wakeResident();
    join();
  }

  private void startResident() {
    start(
        "resident",
        () -> {
          while (!stopResident) {
            if (loop.hasWaiters() || loop.advance() == 0) {
              loop.parkResident(HOUR_NS);
            }
          }
        });
  }

  private void await(BooleanSupplier condition, IdlePolicy policy) {
    assertThat(loop.await(condition, System.nanoTime() + HOUR_NS, policy)).isTrue();
  }

  @Test
  void shouldWakeTheWaiterWhenAnotherThreadQueuesATask() throws InterruptedException {
    AtomicInteger count = new AtomicInteger();
    Phaser rounds = new Phaser(2);
    start(
        "producer",
        () -> {
          for (int i = 0; i < ROUNDS; i++) {
            loop.execute(count::incrementAndGet);
            rounds.arriveAndAwaitAdvance();
          }
        });
    for (int i = 1; i <= ROUNDS; i++) {
      int round = i;
      await(() -> count.get() == round, round % 2 == 0 ? PARKING : YIELDING);
      rounds.arriveAndAwaitAdvance();
    }
    join();
  }

  @Test
  void shouldWakeEveryWaiterWhenOneRunsTheTaskOfAnother() throws InterruptedException {
    int waiters = 4;
    AtomicInteger count = new AtomicInteger();
    Phaser rounds = new Phaser(waiters + 1);
    for (int i = 0; i < waiters; i++) {
      start(
          "waiter-" + i,
          () -> {
            for (int round = 1; round <= ROUNDS / 5; round++) {
              int wanted = round;
              await(() -> count.get() == wanted, PARKING);
              rounds.arriveAndAwaitAdvance();
            }
          });
    }
    for (int round = 1; round <= ROUNDS / 5; round++) {
      loop.execute(count::incrementAndGet);
      rounds.arriveAndAwaitAdvance();
    }
    join();
  }

  @Test
  void shouldFinishAllWhenWaitersWaitForDifferentTasks() throws InterruptedException {
    int waiters = 3;
    for (int i = 0; i < waiters; i++) {
      AtomicInteger own = new AtomicInteger();
      start(
          "waiter-" + i,
          () -> {
            for (int round = 1; round <= ROUNDS; round++) {
              int wanted = round;
              loop.execute(own::incrementAndGet);
              await(() -> own.get() == wanted, PARKING);
            }
          });
    }
    join();
  }

  @Test
  void shouldRunEveryTaskWhenTheResidentTakesTurnsWithWaiters() throws InterruptedException {
    startResident();
    AtomicInteger done = new AtomicInteger();
    AtomicInteger other = new AtomicInteger();
    Thread visitor =
        start(
            "visitor",
            () -> {
              for (int round = 1; round <= ROUNDS; round++) {
                int wanted = round;
                loop.execute(other::incrementAndGet);
                await(() -> other.get() >= wanted, round % 2 == 0 ? PARKING : YIELDING);
              }
            });
    for (int round = 1; round <= ROUNDS; round++) {
      Phaser ran = new Phaser(2);
      loop.execute(
          () -> {
            done.incrementAndGet();
            ran.arrive();
          });
      ran.arriveAndAwaitAdvance();
    }
    visitor.join();
    assertThat(done).hasValue(ROUNDS);
  }

  @Test
  void shouldFireTimersWhenTheWaiterThatSetThemHasLeft() throws InterruptedException {
    startResident();
    for (int round = 0; round < 300; round++) {
      Phaser fired = new Phaser(2);
      AtomicInteger scheduled = new AtomicInteger();
      loop.execute(
          () -> {
            loop.timers().schedule(System.nanoTime() + 50_000, fired::arrive);
            scheduled.set(1);
          });
      await(() -> scheduled.get() == 1, PARKING);
      fired.arriveAndAwaitAdvance();
    }
  }

  @Test
  void shouldWakeForATimerWhenItIsSetWhileAllSleep() {
    AtomicInteger fired = new AtomicInteger();
    start(
        "producer",
        () -> {
          for (int round = 1; round <= 300; round++) {
            loop.execute(
                () -> loop.timers().schedule(System.nanoTime() + 20_000, fired::incrementAndGet));
          }
        });

    await(() -> fired.get() == 300, PARKING);
  }

  @Test
  void shouldWakeTheWaiterWhenAPassingDriverLeavesWork() throws InterruptedException {
    for (int round = 0; round < 500; round++) {
      AtomicInteger ran = new AtomicInteger();
      ProgressLoop.Step flush =
          () -> {
            if (ran.compareAndSet(0, 1)) {
              loop.execute(() -> ran.set(2));
            }
            return 0;
          };
      Thread waiter = start("waiter", () -> await(() -> ran.get() == 2, PARKING));
      loop.addFlush(flush);
      // A pass of the waiter that began before may hold the loop: then this thread's is refused.
      while (ran.get() == 0) {
        loop.advance();
      }
      waiter.join();
      loop.removeFlush(flush);
    }
  }

  @Test
  void shouldKeepTheOrderWhenAThreadPostsDirectlyAndByTask() throws InterruptedException {
    List<Integer> order = new ArrayList<>();
    startResident();
    for (int i = 0; i < ROUNDS; i++) {
      int number = i;
      if (loop.tryEnter()) {
        order.add(number);
        loop.leave();
      } else {
        loop.execute(() -> order.add(number));
      }
    }
    AtomicInteger last = new AtomicInteger();
    loop.execute(last::incrementAndGet);
    await(() -> last.get() == 1, PARKING);

    assertThat(order).hasSize(ROUNDS).isSorted();
  }
}
