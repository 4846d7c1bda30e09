package io.tagfabric.progress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagfabric.trace.Recorder;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A loop that one thread has for itself. Sleeps last an hour: a lost wake-up does not end. */
class SoleThreadTest {
  private static final long HOUR_NS = TimeUnit.HOURS.toNanos(1);
  private static final IdlePolicy PARKING = new IdlePolicy(0, 0, HOUR_NS);

  private final ProgressLoop loop = newLoop();

  private static ProgressLoop newLoop() {
    return new ProgressLoop(
        TimeSource.SYSTEM, 1, HandOver.CALL, PollMode.SERIALIZED, ThreadUse.ONE, Recorder.OFF);
  }

  /** Runs something on a new thread, to its end; throws what it throws. */
  private static void elsewhere(Runnable body) throws InterruptedException {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread thread = new Thread(body, "other");
    thread.setUncaughtExceptionHandler((which, thrown) -> failure.set(thrown));
    thread.start();
    thread.join(TimeUnit.SECONDS.toMillis(60));
    assertThat(thread.isAlive()).isFalse();
    if (failure.get() instanceof RuntimeException thrown) {
      throw thrown;
    }
    assertThat(failure.get()).isNull();
  }

  @Test
  void shouldLetAnyThreadEnterBeforeOneHasCalled() throws InterruptedException {
    assertThat(loop.tryEnter()).isTrue();
    loop.leave();
    elsewhere(
        () -> {
          assertThat(loop.tryEnter()).isTrue();
          loop.leave();
        });
  }

  @Test
  void shouldRefuseOthersByNameWhenOneHasCalled() throws InterruptedException {
    loop.requireCaller();

    List<Runnable> calls =
        List.of(
            loop::requireCaller,
            loop::advance,
            loop::tryEnter,
            loop::giveThreadUp,
            () -> loop.await(() -> false, loop.time().nanoTime() + HOUR_NS, PARKING));
    for (Runnable call : calls) {
      assertThatIllegalStateException()
          .isThrownBy(() -> elsewhere(call))
          .withMessageContaining("[other]")
          .withMessageContaining("[" + Thread.currentThread().getName() + "]")
          .withMessageContaining("giveThreadUp");
    }
    elsewhere(() -> assertThat(loop.admitsCaller()).isFalse());
    assertThat(loop.admitsCaller()).isTrue();
    assertThat(loop.tryEnter()).isTrue();
    assertThat(loop.isDriving()).isTrue();
    assertThat(loop.tryEnter()).isFalse();
    loop.leave();
    assertThat(loop.isDriving()).isFalse();
  }

  @Test
  void shouldGoToTheNextThatCallsWhenGivenUp() throws InterruptedException {
    loop.requireCaller();
    loop.giveThreadUp();

    elsewhere(loop::requireCaller);

    assertThatThrownBy(loop::requireCaller).hasMessageContaining("[other]");
    elsewhere(() -> assertThatThrownBy(loop::requireCaller).hasMessageContaining("[other]"));
  }

  @Test
  void shouldNotBeGivenUpInsideAPass() {
    loop.requireCaller();
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    loop.execute(
        () -> {
          try {
            loop.giveThreadUp();
          } catch (IllegalStateException e) {
            thrown.set(e);
          }
        });

    loop.advance();

    assertThat(thrown.get()).hasMessageContaining("inside a pass");
    assertThat(loop.sole().isHeldByCaller()).isTrue();
  }

  @Test
  void shouldBeOpenToAllAfterTheEnd() throws InterruptedException {
    loop.requireCaller();

    elsewhere(
        () -> {
          loop.openToAll();
          loop.requireCaller();
          assertThat(loop.tryEnter()).isTrue();
          loop.leave();
        });

    loop.requireCaller();
    assertThat(loop.tryEnter()).isTrue();
    loop.leave();
  }

  @Test
  void shouldWakeTheHolderForWhatOthersTell() throws InterruptedException {
    int rounds = 5_000;
    AtomicInteger ran = new AtomicInteger();
    loop.requireCaller();
    Thread teller =
        new Thread(
            () -> {
              for (int i = 0; i < rounds; i++) {
                int before = i;
                while (ran.get() < before) {
                  Thread.onSpinWait();
                }
                loop.execute(ran::incrementAndGet);
              }
            });
    teller.start();

    for (int i = 1; i <= rounds; i++) {
      int wanted = i;
      assertThat(loop.await(() -> ran.get() >= wanted, System.nanoTime() + HOUR_NS, PARKING))
          .isTrue();
    }

    teller.join();
    assertThat(loop.hasWaiters()).isFalse();
  }

  @Test
  void shouldKeepOutWhoeverTakesItWhileTheHolderIsInside() throws Exception {
    for (int round = 0; round < 300; round++) {
      takenWhileInUse(newLoop());
    }
  }

  /** Plain counts: a lost one shows that two were inside. */
  private static void takenWhileInUse(ProgressLoop contended) throws Exception {
    int[] count = new int[1];
    AtomicBoolean stop = new AtomicBoolean();
    CompletableFuture<Integer> held = new CompletableFuture<>();
    CompletableFuture<Void> begun = new CompletableFuture<>();
    Thread holder =
        new Thread(
            () -> {
              contended.requireCaller();
              int mine = 0;
              while (!stop.get()) {
                mine += enterOnce(contended, count);
                if (mine == 1_000) {
                  begun.complete(null);
                }
              }
              held.complete(mine);
            });
    holder.start();
    begun.get(60, TimeUnit.SECONDS);

    contended.openToAll();
    int mine = 0;
    for (int i = 0; i < 2_000; i++) {
      mine += enterOnce(contended, count);
    }

    stop.set(true);
    holder.join();
    assertThat(count[0]).isEqualTo(mine + held.get());
  }

  private static int enterOnce(ProgressLoop contended, int[] count) {
    if (!contended.tryEnter()) {
      return 0;
    }
    count[0]++;
    contended.leave();
    return 1;
  }

  @Test
  void shouldLetOnlyOneOfThoseThatComeFirstTogetherIn() throws Exception {
    for (int round = 0; round < 300; round++) {
      claimedBesideGuests(newLoop());
    }
  }

  /**
   * A guest enters until somebody claims the loop; a plain count tells whether both were inside.
   */
  private static void claimedBesideGuests(ProgressLoop contended) throws Exception {
    int[] count = new int[1];
    CompletableFuture<Integer> guests = new CompletableFuture<>();
    CompletableFuture<Void> begun = new CompletableFuture<>();
    Thread guest =
        new Thread(
            () -> {
              int mine = 0;
              try {
                while (mine < 10_000_000) {
                  mine += enterOnce(contended, count);
                  if (mine == 100) {
                    begun.complete(null);
                  }
                }
              } catch (IllegalStateException refused) {
                guests.complete(mine);
              }
            });
    guest.start();
    begun.get(60, TimeUnit.SECONDS);

    contended.requireCaller();
    int mine = 0;
    for (int i = 0; i < 2_000; i++) {
      mine += enterOnce(contended, count);
    }

    assertThat(guests.get(60, TimeUnit.SECONDS) + mine).isEqualTo(count[0]);
    guest.join();
  }
}
