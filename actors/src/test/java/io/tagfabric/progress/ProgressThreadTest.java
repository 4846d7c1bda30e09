package io.tagfabric.progress;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import io.tagfabric.cluster.settings.RecordCopy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ProgressThreadTest {
  private static final ActorTestKit KIT = ActorTestKit.create();
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final IdlePolicy IDLE = new IdlePolicy(0, 20_000, 3_600_000_000_000L);

  private static final AtomicInteger THREADS = new AtomicInteger();

  private final AtomicInteger passes = new AtomicInteger();
  private final AtomicReference<Thread> driver = new AtomicReference<>();
  private ProgressLoop loop;
  private String name;
  private ProgressThread.Handle handle;
  private ActorRef<ProgressThread.Command> thread;

  @BeforeEach
  void begin() {
    start(ProgressPacing.NONE);
  }

  private void start(ProgressPacing pacing) {
    loop = new ProgressLoop(TimeSource.SYSTEM, 1, HandOver.CALL, pacing.pollMode());
    loop.addPoll(
        () -> {
          passes.incrementAndGet();
          driver.set(Thread.currentThread());
          return 0;
        });
    name = "thread-" + THREADS.incrementAndGet();
    handle = ProgressThread.start(KIT.system(), name, loop, IDLE, CoreSet.NONE, pacing);
    thread = handle.ref();
  }

  @AfterAll
  static void stop() {
    KIT.shutdownTestKit();
  }

  private void pause() {
    TestProbe<ProgressThread.Paused> probe = KIT.createTestProbe();
    thread.tell(new ProgressThread.Pause(probe.ref()));
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
    handle.stop();
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
    thread.tell(ProgressThread.Resume.INSTANCE);
    run();
    assertThat(ran).hasValue(2);
    stopThread();
  }

  /** Nothing but a message ends its sleeps here; those beside close waits as the others. */
  @Test
  void shouldAnswerWhenToldWhileWaitsDrive() throws InterruptedException {
    run();
    untilParked();
    Thread resident = driver.get();
    AtomicBoolean end = new AtomicBoolean();
    Thread waits =
        new Thread(
            () -> {
              while (!end.get()) {
                AtomicInteger looks = new AtomicInteger();
                loop.await(() -> looks.incrementAndGet() > 3, Long.MAX_VALUE, IDLE);
              }
            });
    waits.start();
    long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
    for (int i = 0; i < 200; i++) {
      while (LockSupport.getBlocker(resident) != loop) {
        assertThat(System.nanoTime() - deadlineNs).as("still not parked").isNegative();
        Thread.yield();
      }
      pause();
      thread.tell(ProgressThread.Resume.INSTANCE);
    }
    end.set(true);
    waits.join(PATIENCE.toMillis());
    assertThat(waits.isAlive()).isFalse();
    stopThread();
  }

  @Test
  void shouldAnswerAtOnceWhenToldBetweenTwoSleeps() throws InterruptedException {
    for (int i = 0; i < 500; i++) {
      pause();
      thread.tell(ProgressThread.Resume.INSTANCE);
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

  /** From now on the thread finds whatever comes within an hour, and has found enough of it. */
  private void yieldForAnHour(PollMode pollMode) throws InterruptedException {
    stopThread();
    driver.set(null);
    start(
        RecordCopy.with(
            ProgressPacing.NONE, "closeYieldNs", 3_600_000_000_000L, "pollMode", pollMode));
    for (int i = 0; i < YieldPace.ENOUGH; i++) {
      untilParked(); // so the next comes later than it would have yielded anyhow
      run();
    }
  }

  private void untilPasses(int more) {
    int before = passes.get();
    long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
    while (passes.get() - before < more) {
      assertThat(System.nanoTime() - deadlineNs).as("the thread sleeps").isNegative();
      Thread.yield();
    }
  }

  @ParameterizedTest
  @EnumSource(PollMode.class)
  void shouldYieldForLongerWhileMessagesAreClose(PollMode pollMode) throws InterruptedException {
    yieldForAnHour(pollMode);
    long sleeps = state().sleeps();

    untilPasses(10_000);

    assertThat(state().sleeps()).isEqualTo(sleeps);
    stopThread();
  }

  @ParameterizedTest
  @EnumSource(PollMode.class)
  void shouldYieldNoLongerThanSetAfterAnApplicationThreadHasWaited(PollMode pollMode)
      throws InterruptedException {
    yieldForAnHour(pollMode);
    Thread resident = driver.get();

    assertThat(
            loop.await(
                () -> LockSupport.getBlocker(resident) == loop,
                System.nanoTime() + PATIENCE.toNanos(),
                new IdlePolicy(3_600_000_000_000L, 0, 3_600_000_000_000L)))
        .isTrue();
    driver.set(resident);
    run();

    untilParked();
    stopThread();
  }

  private ProgressThread.State state() {
    TestProbe<ProgressThread.State> probe = KIT.createTestProbe();
    thread.tell(new ProgressThread.GetState(probe.ref()));
    return probe.receiveMessage(PATIENCE);
  }

  @Test
  void shouldTellWhatItDoesThoughItIsParked() throws InterruptedException {
    run();
    untilParked();
    ProgressThread.State driving = state();
    assertThat(driving.driving()).isTrue();
    assertThat(driving.passes()).isPositive().isLessThanOrEqualTo(passes.get());
    assertThat(driving.sleeps()).isPositive();

    untilParked();
    pause();
    ProgressThread.State paused = state();
    assertThat(paused.driving()).isFalse();
    assertThat(state()).isEqualTo(paused);
    loop.execute(() -> {});
    assertThat(state()).isEqualTo(paused);

    thread.tell(ProgressThread.Resume.INSTANCE);
    run();
    assertThat(state().driving()).isTrue();
    assertThat(state().passes()).isGreaterThan(paused.passes());
    stopThread();
  }

  @Test
  void shouldNameItsThreadAfterItsDomain() throws Exception {
    CompletableFuture<String> ranOn = new CompletableFuture<>();
    loop.execute(() -> ranOn.complete(Thread.currentThread().getName()));
    assertThat(ranOn.orTimeout(60, TimeUnit.SECONDS).join())
        .isEqualTo("tagfabric-progress-" + name);
    stopThread();
  }
}
