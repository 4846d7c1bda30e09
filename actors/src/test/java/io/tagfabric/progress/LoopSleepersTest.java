package io.tagfabric.progress;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Real threads in the orders that matter: each is seen to sleep before the next step is taken, and
 * a sleep that nobody ends would last an hour.
 */
class LoopSleepersTest {
  private static final long HOUR_NS = TimeUnit.HOURS.toNanos(1);
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);

  private final Object blocker = new Object();
  private final ManualTime time = new ManualTime(0);
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicBoolean ended = new AtomicBoolean();
  private volatile boolean queued;
  private volatile long nextTimerNs = Long.MAX_VALUE;

  /** Runs once, when a thread has looked at the next timer and does not know of another yet. */
  private volatile Runnable afterTimer;

  /** Runs once, when a thread looks for work a last time before it sleeps. */
  private volatile Runnable beforeSleep;

  private final LoopSleepers sleepers =
      new LoopSleepers(
          blocker,
          time,
          new LoopSleepers.Work() {
            @Override
            public boolean hasQueued() {
              Runnable step = beforeSleep;
              beforeSleep = null;
              run(step);
              return queued;
            }

            @Override
            public long nextTimerNs() {
              long next = nextTimerNs;
              Runnable step = afterTimer;
              afterTimer = null;
              run(step);
              return next;
            }
          });

  private static void run(Runnable step) {
    if (step != null) {
      step.run();
    }
  }

  @AfterEach
  void stop() throws InterruptedException {
    ended.set(true);
    for (Thread thread : threads) {
      LockSupport.unpark(thread);
      thread.join(TimeUnit.NANOSECONDS.toMillis(PATIENCE_NS));
      assertThat(thread.isAlive()).as("%s", thread.getName()).isFalse();
    }
  }

  private Thread start(String name, Runnable sleep) {
    Thread thread = new Thread(sleep, name);
    threads.add(thread);
    thread.start();
    return thread;
  }

  private Thread waiter(String name) {
    Thread thread =
        start(
            name,
            () -> {
              sleepers.enterWait();
              sleepers.parkWaiter(ended::get, HOUR_NS);
              sleepers.leaveWait();
            });
    untilAsleep(thread);
    return thread;
  }

  private Thread resident() {
    Thread thread = start("resident", () -> sleepers.parkResident(HOUR_NS));
    untilAsleep(thread);
    return thread;
  }

  private void untilAsleep(Thread thread) {
    long deadlineNs = System.nanoTime() + PATIENCE_NS;
    while (LockSupport.getBlocker(thread) != blocker) {
      assertThat(System.nanoTime() - deadlineNs).as("%s sleeps", thread.getName()).isNegative();
      Thread.yield();
    }
  }

  private static void awaitWoken(Thread thread) throws InterruptedException {
    thread.join(TimeUnit.NANOSECONDS.toMillis(PATIENCE_NS));
    assertThat(thread.isAlive()).as("%s was not woken", thread.getName()).isFalse();
  }

  @Test
  void shouldWakeTheOtherWaitersWhenOneLeaves() throws InterruptedException {
    Thread one = waiter("one");
    Thread two = waiter("two");

    sleepers.enterWait();
    sleepers.leaveWait();

    awaitWoken(one);
    awaitWoken(two);
  }

  @Test
  void shouldWakeTheResidentDriverWhenTheLastWaiterLeavesWorkBehind() throws InterruptedException {
    sleepers.enterWait();
    Thread resident = resident();

    queued = true;
    sleepers.leaveWait();

    awaitWoken(resident);
  }

  @Test
  void shouldWakeTheResidentDriverWhenTheLastWaiterLeavesATimerBehind()
      throws InterruptedException {
    sleepers.enterWait();
    Thread resident = resident();

    nextTimerNs = time.nanoTime() + HOUR_NS / 2;
    sleepers.leaveWait();

    awaitWoken(resident);
  }

  private void comeAndGoWithATimer() {
    sleepers.enterWait();
    nextTimerNs = time.nanoTime() + HOUR_NS / 2;
    sleepers.leaveWait();
  }

  @Test
  void shouldNotOversleepATimerThatIsSetWhileTheResidentDriverLooksAtTimers()
      throws InterruptedException {
    afterTimer = this::comeAndGoWithATimer;

    Thread resident = start("resident", () -> sleepers.parkResident(HOUR_NS));

    awaitWoken(resident);
  }

  @Test
  void shouldNotOversleepATimerThatIsSetWhileTheResidentDriverFallsAsleep()
      throws InterruptedException {
    beforeSleep = this::comeAndGoWithATimer;

    Thread resident = start("resident", () -> sleepers.parkResident(HOUR_NS));

    awaitWoken(resident);
  }

  @Test
  void shouldWakeWhoWaitsWhenAConditionMayHold() throws InterruptedException {
    sleepers.enterWait();
    Thread waiter = waiter("waiter");

    sleepers.wakeWaiters();

    awaitWoken(waiter);
    sleepers.leaveWait();
  }

  @Test
  void shouldWakeTheResidentDriverWhenItIsWantedThoughOthersWait() throws InterruptedException {
    waiter("waiter");
    Thread resident = resident();

    sleepers.wakeResident();

    awaitWoken(resident);
  }

  @Test
  void shouldNotSleepWhenTheResidentDriverIsWantedWhileItFallsAsleep() throws InterruptedException {
    sleepers.wakeResident();

    Thread resident = start("resident", () -> sleepers.parkResident(HOUR_NS));

    awaitWoken(resident);
  }

  private void endWaits(int count) {
    for (int i = 0; i < count; i++) {
      sleepers.enterWait();
      sleepers.leaveWait();
    }
  }

  /** A bell that lets threads sleep, and does something when it is asked again. */
  private record SecondLook(Runnable announced, BooleanSupplier quiet) implements Doorbell {
    @Override
    public boolean announce() {
      announced.run();
      return true;
    }

    @Override
    public boolean isQuiet() {
      return quiet.getAsBoolean();
    }

    @Override
    public void withdraw() {}
  }

  /** Parks the resident driver for an hour, in the channel. */
  private void parkInTheChannel(SecondLook bell) throws Exception {
    Pipe pipe = Pipe.open();
    pipe.source().configureBlocking(false);
    sleepers.watch(pipe.source(), SelectionKey.OP_READ, null);
    sleepers.doorbell(bell);
    Thread resident = new Thread(() -> sleepers.parkResident(HOUR_NS));
    resident.start();
    resident.join(TimeUnit.MINUTES.toMillis(1));
    assertThat(resident.isAlive()).as("asleep").isFalse();
    sleepers.unwatch(pipe.source());
    pipe.source().close();
    pipe.sink().close();
  }

  @Test
  void shouldNotSleepOnWhenTheBellFindsWorkAtItsSecondLook() throws Exception {
    AtomicInteger looks = new AtomicInteger();

    parkInTheChannel(new SecondLook(() -> {}, () -> looks.incrementAndGet() == 0));

    assertThat(looks).hasValue(1);
  }

  @Test
  void shouldNotSleepOnWhenSomebodyWakesBeforeTheSecondLook() throws Exception {
    AtomicInteger looks = new AtomicInteger();

    parkInTheChannel(new SecondLook(sleepers::wakeResident, () -> looks.incrementAndGet() > 0));

    assertThat(looks).hasValue(0);
  }

  @Test
  void shouldEndTheSecondSleepWhenSomebodyWakes() throws Exception {
    parkInTheChannel(
        new SecondLook(
            () -> {},
            () -> {
              sleepers.wakeResident();
              return true;
            }));
  }

  /** Whether the resident driver would have slept in the channel: it announces that it does. */
  private boolean wouldSleepInTheChannel() throws InterruptedException {
    WakingBell bell = new WakingBell();
    sleepers.doorbell(bell);
    awaitWoken(start("resident", () -> sleepers.parkResident(HOUR_NS)));
    return bell.wasAnnounced();
  }

  @Test
  void shouldNotSleepInTheChannelBetweenCloseWaits() throws Exception {
    Pipe pipe = Pipe.open();
    pipe.source().configureBlocking(false);
    sleepers.watch(pipe.source(), SelectionKey.OP_READ, null);

    assertThat(wouldSleepInTheChannel()).as("before any wait").isTrue();
    endWaits(WaitPace.ENOUGH);
    assertThat(wouldSleepInTheChannel()).as("between close waits").isFalse();
    time.advance(WaitPace.PERIOD_NS);
    assertThat(wouldSleepInTheChannel()).as("after the last").isTrue();
    for (int i = 0; i < WaitPace.ENOUGH; i++) {
      sleepers.polled();
    }
    assertThat(wouldSleepInTheChannel()).as("while a thread polls").isFalse();
    time.advance(WaitPace.PERIOD_NS);
    assertThat(wouldSleepInTheChannel()).as("when it polls no more").isTrue();

    sleepers.unwatch(pipe.source());
    pipe.source().close();
    pipe.sink().close();
  }
}
