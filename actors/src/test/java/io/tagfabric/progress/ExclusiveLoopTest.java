package io.tagfabric.progress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A loop that one thread owns: others neither drive it nor miss what it does. */
class ExclusiveLoopTest {
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);
  private static final IdlePolicy PARKING = new IdlePolicy(0, 0, PATIENCE_NS);

  private final ProgressLoop loop =
      new ProgressLoop(TimeSource.SYSTEM, 1, HandOver.CALL, PollMode.EXCLUSIVE);
  private final AtomicBoolean owns = new AtomicBoolean(true);
  private final CountDownLatch owned = new CountDownLatch(1);
  private final Thread owner = new Thread(this::drive, "owner");
  private final AtomicReference<Thread> ranOn = new AtomicReference<>();

  private void drive() {
    loop.own();
    owned.countDown();
    while (owns.get()) {
      if (loop.advance() == 0) {
        loop.parkResident(PATIENCE_NS);
      }
    }
    loop.disown();
  }

  private void startOwner() throws InterruptedException {
    owner.start();
    assertThat(owned.await(60, TimeUnit.SECONDS)).isTrue();
  }

  @AfterEach
  void stop() throws InterruptedException {
    owns.set(false);
    loop.wakeResident();
    owner.join(TimeUnit.NANOSECONDS.toMillis(PATIENCE_NS));
    assertThat(owner.isAlive()).isFalse();
  }

  private long deadlineNs() {
    return System.nanoTime() + PATIENCE_NS;
  }

  @Test
  void shouldLetAnyThreadDriveWhileItHasNoOwner() {
    AtomicInteger ran = new AtomicInteger();
    loop.execute(ran::incrementAndGet);

    assertThat(loop.advance()).isPositive();
    assertThat(ran).hasValue(1);
    assertThat(loop.tryEnter()).isTrue();
    loop.leave();
  }

  @Test
  void shouldRefuseOthersWhileItHasAnOwner() throws InterruptedException {
    startOwner();

    assertThat(loop.advance()).isZero();
    assertThat(loop.tryEnter()).isFalse();
  }

  /** Whether reads that find what they look for at once are taken for waits that drive. */
  private static boolean takesReadsForCloseWaits(PollMode mode) {
    ProgressLoop read = new ProgressLoop(new ManualTime(0), 1, HandOver.CALL, mode);
    for (int i = 0; i < WaitPace.ENOUGH; i++) {
      read.waited();
    }
    return read.waitsAreClose();
  }

  @Test
  void shouldNotLeaveTheLoopToReadsThatMayNotDrive() {
    assertThat(takesReadsForCloseWaits(PollMode.EXCLUSIVE)).isFalse();
    assertThat(takesReadsForCloseWaits(PollMode.SERIALIZED)).isTrue();
  }

  @Test
  void shouldPollOnlyWhileItHasNoOwner() throws InterruptedException {
    AtomicReference<Thread> polledOn = new AtomicReference<>();
    loop.addPoll(
        () -> {
          polledOn.set(Thread.currentThread());
          return 0;
        });
    assertThat(loop.poll(2)).isZero();
    assertThat(polledOn.getAndSet(null)).isSameAs(Thread.currentThread());

    startOwner();
    loop.await(() -> polledOn.get() == owner, deadlineNs(), PARKING);
    assertThat(loop.poll(2)).isZero();
    assertThat(polledOn.get()).isSameAs(owner);
  }

  @Test
  void shouldWakeAnOnlookerForWhatTheOwnerDoes() throws InterruptedException {
    startOwner();
    AtomicInteger done = new AtomicInteger();
    for (int i = 1; i <= 500; i++) {
      int wanted = i;
      loop.execute(
          () -> {
            ranOn.set(Thread.currentThread());
            done.incrementAndGet();
          });

      assertThat(loop.await(() -> done.get() == wanted, deadlineNs(), PARKING)).isTrue();
      assertThat(ranOn.get()).isSameAs(owner);
      assertThat(loop.hasWaiters()).isFalse();
    }
  }

  @Test
  void shouldWakeAnOnlookerThatAnotherThreadServes() throws InterruptedException {
    startOwner();
    AtomicBoolean ready = new AtomicBoolean();
    Thread other =
        new Thread(
            () -> {
              ready.set(true);
              loop.wake();
            });
    other.start();

    assertThat(loop.await(ready::get, deadlineNs(), PARKING)).isTrue();
    other.join();
  }

  @Test
  void shouldGiveUpAtTheDeadlineAndWhenInterrupted() throws InterruptedException {
    startOwner();

    assertThat(loop.await(() -> false, System.nanoTime() + 1_000_000, PARKING)).isFalse();
    Thread.currentThread().interrupt();
    assertThat(loop.await(() -> false, deadlineNs(), PARKING)).isFalse();
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void shouldDriveAgainWhenTheOwnerGoesDuringAWait() throws InterruptedException {
    startOwner();
    AtomicInteger ran = new AtomicInteger();
    Thread ending =
        new Thread(
            () -> {
              owns.set(false);
              loop.wakeResident();
              try {
                owner.join();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              loop.execute(
                  () -> {
                    ranOn.set(Thread.currentThread());
                    ran.incrementAndGet();
                  });
            });
    ending.start();

    assertThat(loop.await(() -> ran.get() == 1, deadlineNs(), PARKING)).isTrue();
    assertThat(ranOn.get()).isSameAs(Thread.currentThread());
    ending.join();
  }

  @Test
  void shouldLeaveTheLoopToAnOwnerThatComesDuringAWait() throws InterruptedException {
    AtomicInteger ran = new AtomicInteger();
    Thread late =
        new Thread(
            () -> {
              try {
                startOwner();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              loop.execute(
                  () -> {
                    ranOn.set(Thread.currentThread());
                    ran.incrementAndGet();
                  });
            });
    late.start();

    assertThat(loop.await(() -> ran.get() == 1, deadlineNs(), PARKING)).isTrue();
    assertThat(ranOn.get()).isSameAs(owner);
    late.join();
  }
}
