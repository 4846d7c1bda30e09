package io.tagfabric.progress;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import akka.actor.typed.DispatcherSelector;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ProgressThreadTest {
  private static final ActorTestKit KIT = ActorTestKit.create();
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final IdlePolicy IDLE = new IdlePolicy(0, 20_000, 3_600_000_000_000L);

  private final ProgressLoop loop = new ProgressLoop(TimeSource.SYSTEM);
  private final AtomicInteger passes = new AtomicInteger();
  private final AtomicReference<Thread> driver = new AtomicReference<>();
  private ActorRef<ProgressThread.Command> thread;

  @BeforeEach
  void start() {
    loop.addPoll(
        () -> {
          passes.incrementAndGet();
          driver.set(Thread.currentThread());
          return 0;
        });
    thread =
        KIT.spawn(
            ProgressThread.create(loop, IDLE),
            DispatcherSelector.fromConfig("tagfabric.progress.dispatcher"));
  }

  @AfterAll
  static void stop() {
    KIT.shutdownTestKit();
  }

  private void tell(ProgressThread.Command command) {
    thread.tell(command);
    loop.wakeResident();
  }

  private void pause() {
    TestProbe<ProgressThread.Paused> probe = KIT.createTestProbe();
    tell(new ProgressThread.Pause(probe.ref()));
    probe.receiveMessage(PATIENCE);
  }

  private void run() throws InterruptedException {
    CountDownLatch ran = new CountDownLatch(1);
    loop.execute(ran::countDown);
    assertThat(ran.await(60, TimeUnit.SECONDS)).isTrue();
  }

  private void untilParked() {
    long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
    while (driver.get() == null || LockSupport.getBlocker(driver.get()) != loop) {
      assertThat(System.nanoTime() - deadlineNs).as("still not parked").isNegative();
      Thread.yield();
    }
  }

  private void stopThread() {
    tell(ProgressThread.Stop.INSTANCE);
    KIT.createTestProbe().expectTerminated(thread, PATIENCE);
  }

  @Test
  void shouldRunTasksAndParkWhenNothingIsLeft() throws InterruptedException {
    for (int i = 0; i < 50; i++) {
      run();
    }
    untilParked();
    int before = passes.get();
    untilParked();
    assertThat(passes).hasValue(before);

    run();
    untilParked();
    assertThat(passes.get()).isGreaterThan(before);
    stopThread();
  }

  @Test
  void shouldLeaveTheLoopAloneWhilePaused() throws InterruptedException {
    run();
    untilParked();
    pause();
    AtomicInteger ran = new AtomicInteger();
    loop.execute(ran::incrementAndGet);
    pause();
    assertThat(ran).hasValue(0);
    loop.advance();
    assertThat(ran).hasValue(1);

    loop.execute(ran::incrementAndGet);
    tell(ProgressThread.Resume.INSTANCE);
    run();
    assertThat(ran).hasValue(2);
    stopThread();
  }

  @Test
  void shouldAnswerAtOnceWhenToldBetweenTwoSleeps() throws InterruptedException {
    for (int i = 0; i < 500; i++) {
      pause();
      tell(ProgressThread.Resume.INSTANCE);
    }
    run();
    stopThread();
  }

  @Test
  void shouldGoOnWhenAPassThrows() throws InterruptedException {
    loop.execute(
        () -> {
          throw new IllegalStateException("broken on purpose");
        });

    run();

    stopThread();
  }

  @Test
  void shouldSleepWhileAnApplicationThreadWaits() throws InterruptedException {
    run();
    untilParked();
    Thread resident = driver.get();
    AtomicInteger rounds = new AtomicInteger();
    for (int i = 1; i <= 200; i++) {
      int wanted = i;
      loop.execute(rounds::incrementAndGet);
      assertThat(
              loop.await(
                  () -> rounds.get() == wanted,
                  System.nanoTime() + PATIENCE.toNanos(),
                  new IdlePolicy(0, 0, 3_600_000_000_000L)))
          .isTrue();
    }
    run();
    assertThat(resident.isAlive()).isTrue();
    stopThread();
  }
}
