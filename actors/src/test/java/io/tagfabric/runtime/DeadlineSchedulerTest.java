package io.tagfabric.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.actor.AbstractScheduler;
import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.actor.Cancellable;
import akka.actor.Scheduler;
import akka.actor.SchedulerException;
import akka.dispatch.ExecutionContexts;
import akka.event.NoLogging;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.support.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import scala.concurrent.ExecutionContext;
import scala.concurrent.duration.FiniteDuration;

class DeadlineSchedulerTest {
  private static final Duration LONG = Duration.ofHours(1);
  private static final String INTERNAL = "akka.actor.internal-dispatcher";

  private final ExecutionContext sameThread = ExecutionContexts.fromExecutor(Runnable::run);
  private final DeadlineScheduler scheduler =
      new DeadlineScheduler(
          ConfigFactory.empty(), NoLogging.getInstance(), task -> new Thread(task, "deadlines"));

  @AfterEach
  void close() {
    scheduler.close();
  }

  @Test
  void shouldRunTasksInTheOrderOfTheirDeadlines() throws InterruptedException {
    List<Integer> order = new CopyOnWriteArrayList<>();
    CountDownLatch all = new CountDownLatch(3);
    for (int ms : new int[] {120, 1, 60}) {
      scheduler.scheduleOnce(
          Duration.ofMillis(ms),
          () -> {
            order.add(ms);
            all.countDown();
          },
          sameThread);
    }
    assertThat(all.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(order).containsExactly(1, 60, 120);
  }

  @Test
  void shouldNeverRunWhatIsCancelledBeforeItIsDue() {
    AtomicInteger runs = new AtomicInteger();
    Cancellable once = scheduler.scheduleOnce(LONG, runs::incrementAndGet, sameThread);

    assertThat(once.cancel()).isTrue();
    assertThat(once.isCancelled()).isTrue();
    assertThat(once.cancel()).isFalse();
    assertThat(runs).hasValue(0);
  }

  @Test
  void shouldRefuseToCancelWhatHasRun() {
    AtomicInteger runs = new AtomicInteger();
    Cancellable once = scheduler.scheduleOnce(Duration.ZERO, runs::incrementAndGet, sameThread);
    Await.until("the task has run", () -> runs.get() == 1);

    assertThat(once.cancel()).isFalse();
    assertThat(once.isCancelled()).isFalse();
  }

  @Test
  void shouldRepeatUntilCancelled() {
    AtomicInteger runs = new AtomicInteger();
    Cancellable repeated = repeat(runs::incrementAndGet);
    Await.until("three runs", () -> runs.get() >= 3);

    assertThat(repeated.cancel()).isTrue();
    Await.until("no run is under way", () -> quiet(runs));
  }

  @Test
  void shouldEndARepetitionWhoseReceiverHasStopped() {
    AtomicInteger runs = new AtomicInteger();
    Cancellable repeated =
        repeat(
            () -> {
              if (runs.incrementAndGet() == 2) {
                throw new SchedulerException("stopped");
              }
            });
    Await.until("the schedule has ended", repeated::isCancelled);

    assertThat(runs).hasValue(2);
  }

  @Test
  void shouldGoOnAfterAnExecutorThatFails() {
    AtomicInteger runs = new AtomicInteger();
    scheduler.scheduleOnce(
        Duration.ZERO,
        runs::incrementAndGet,
        new ExecutionContext() {
          @Override
          public void execute(Runnable task) {
            throw new IllegalStateException("full");
          }

          @Override
          public void reportFailure(Throwable cause) {}
        });
    scheduler.scheduleOnce(Duration.ofMillis(1), runs::incrementAndGet, sameThread);

    Await.until("the second task has run", () -> runs.get() == 1);
  }

  @Test
  void shouldRunAtItsCloseOnlyWhatAsksForIt() {
    AtomicInteger forgotten = new AtomicInteger();
    AtomicInteger last = new AtomicInteger();
    scheduler.scheduleOnce(LONG, forgotten::incrementAndGet, sameThread);
    scheduler.scheduleOnce(LONG, (Scheduler.TaskRunOnClose) last::incrementAndGet, sameThread);

    scheduler.close();
    scheduler.close();

    assertThat(last).hasValue(1);
    assertThat(forgotten).hasValue(0);
    assertThatThrownBy(() -> scheduler.scheduleOnce(LONG, () -> {}, sameThread))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the scheduler is closed")
        .hasCauseInstanceOf(akka.actor.SchedulerException.class);
  }

  /** Keeps what Akka hands to a scheduler, as {@code scheduleOnce} gets it. */
  private static final class Recorder extends AbstractScheduler {
    private final List<Runnable> tasks = new ArrayList<>();

    @Override
    public Cancellable scheduleOnce(
        FiniteDuration delay, Runnable task, ExecutionContext executor) {
      tasks.add(task);
      return Cancellable.alreadyCancelled();
    }

    @Override
    @SuppressWarnings("deprecation") // Akka's other schedules are made of it
    public Cancellable schedule(
        FiniteDuration initialDelay,
        FiniteDuration interval,
        Runnable task,
        ExecutionContext executor) {
      throw new AssertionError("a fixed rate");
    }

    @Override
    public double maxFrequency() {
      return 1000;
    }
  }

  @Test
  void shouldTakeForTicksWhatAkkaRepeatsForItself() {
    ActorSystem system = ActorSystem.create();
    try {
      long secondNs = TimeUnit.SECONDS.toNanos(1);
      ExecutionContext internal = system.dispatchers().lookup(INTERNAL);
      ExecutionContext remoting =
          system.dispatchers().lookup("akka.remote.default-remote-dispatcher");
      Recorder recorder = new Recorder();
      recorder.scheduleWithFixedDelay(
          LONG, LONG, system.deadLetters(), "tick", internal, ActorRef.noSender());
      recorder.scheduleOnce(LONG, system.deadLetters(), "once", internal, ActorRef.noSender());
      Runnable repeated = recorder.tasks.get(0);
      Runnable once = recorder.tasks.get(1);

      assertThat(DeadlineScheduler.isTick(repeated, secondNs, internal)).isTrue();
      assertThat(DeadlineScheduler.isTick(repeated, secondNs, remoting)).isTrue();
      assertThat(DeadlineScheduler.isTick(repeated, secondNs / 10, internal)).isFalse();
      assertThat(DeadlineScheduler.isTick(repeated, secondNs, system.dispatcher())).isFalse();
      assertThat(DeadlineScheduler.isTick(repeated, secondNs, sameThread)).isFalse();
      assertThat(DeadlineScheduler.isTick(once, secondNs, internal)).isFalse();
      assertThat(DeadlineScheduler.isTick(() -> {}, secondNs, internal)).isFalse();
    } finally {
      end(system);
    }
  }

  /** Repeated tasks that begin a third of their delay apart; without ticks they stay apart. */
  @Test
  void shouldRunTheTicksOfTwoSchedulersAtTheSameMoment() {
    ActorSystem system = ActorSystem.create();
    DeadlineScheduler other =
        new DeadlineScheduler(
            ConfigFactory.empty(), NoLogging.getInstance(), task -> new Thread(task, "others"));
    try {
      ExecutionContext internal = system.dispatchers().lookup(INTERNAL);
      Duration delay = Duration.ofMillis(300);
      AtomicLong oneNs = new AtomicLong();
      AtomicLong twoNs = new AtomicLong(Long.MIN_VALUE / 2);
      scheduler.scheduleWithFixedDelay(
          Duration.ZERO, delay, () -> oneNs.set(System.nanoTime()), internal);
      LockSupport.parkNanos(delay.toNanos() / 3);
      other.scheduleWithFixedDelay(
          Duration.ZERO, delay, () -> twoNs.set(System.nanoTime()), internal);

      Await.until(
          "both run within a tenth of the delay",
          () -> Math.abs(oneNs.get() - twoNs.get()) < delay.toNanos() / 10);
    } finally {
      other.close();
      end(system);
    }
  }

  private static void end(ActorSystem system) {
    system.terminate();
    Await.get(system.getWhenTerminated());
  }

  @SuppressWarnings("deprecation") // Akka's timers are made of it
  private Cancellable repeat(Runnable task) {
    return scheduler.schedule(Duration.ZERO, Duration.ofMillis(1), task, sameThread);
  }

  /** Whether the count stays as it is for as long as ten periods. */
  private static boolean quiet(AtomicInteger runs) {
    int before = runs.get();
    for (int i = 0; i < 10; i++) {
      LockSupport.parkNanos(1_000_000);
    }
    return runs.get() == before;
  }
}
