package io.tagfabric.progress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class ProgressLoopTest {
  private static final IdlePolicy FOREVER = new IdlePolicy(0, 0, 3_600_000_000_000L);

  private final ManualTime time = new ManualTime(1_000);
  private final ProgressLoop loop = new ProgressLoop(time);
  private final List<String> ran = new ArrayList<>();

  private ProgressLoop.Step step(String name) {
    return () -> {
      ran.add(name);
      return 0;
    };
  }

  @Test
  void shouldRunMailboxesPollsTimersAndFlushesInThisOrder() {
    loop.addFlush(step("flush"));
    loop.addPoll(step("poll"));
    loop.timers().schedule(time.nanoTime(), () -> ran.add("timer"));
    loop.execute(() -> ran.add("mailbox"));

    int work = loop.advance();

    assertThat(ran).containsExactly("mailbox", "poll", "timer", "flush");
    assertThat(work).isEqualTo(2);
    assertThat(loop.isDriving()).isFalse();
  }

  @Test
  void shouldLetTimeStandStillInAPassUntilATaskHasRun() {
    List<Long> times = new ArrayList<>();
    ProgressLoop.Step note =
        () -> {
          times.add(loop.passTime().nanoTime());
          time.advance(10);
          return loop.isLookingOn() ? 1 : 0;
        };
    loop.addPoll(note);
    loop.addFlush(note);

    loop.advance();
    assertThat(times).as("a pass has one time").containsExactly(1_000L, 1_000L);
    assertThat(loop.passTime().nanoTime()).as("after it").isEqualTo(1_020);
    time.advance(1);
    assertThat(loop.passTime().nanoTime()).as("outside, it goes on").isEqualTo(1_021);

    times.clear();
    loop.advance(1);
    assertThat(times).as("a look has its own").containsExactly(1_021L, 1_021L, 1_041L, 1_041L);

    times.clear();
    loop.execute(
        () -> {
          times.add(loop.passTime().nanoTime());
          time.advance(100);
        });
    loop.advance();
    assertThat(times).as("a task may take long").containsExactly(1_061L, 1_161L, 1_161L);
  }

  @Test
  void shouldLetTimeGoOnAfterAPassThatFailed() {
    ProgressLoop.Step fails =
        () -> {
          loop.passTime().nanoTime();
          throw new IllegalArgumentException("fails");
        };
    loop.addPoll(fails);
    assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(loop::advance);

    time.advance(7);
    assertThat(loop.passTime().nanoTime()).isEqualTo(1_007);
  }

  @Test
  void shouldCountPassesAndFurtherLooksButNoEntries() {
    assertThat(loop.advance()).isZero();
    assertThat(loop.passes().begun()).isEqualTo(1);

    assertThat(loop.tryEnter()).isTrue();
    loop.leave();
    assertThat(loop.passes().begun()).isEqualTo(1);

    assertThat(loop.advance(3)).isZero();
    assertThat(loop.passes().begun()).as("a pass and three looks").isEqualTo(5);
  }

  @Test
  void shouldRunTasksInTheSamePassWhenMailboxesAddThem() {
    loop.execute(() -> loop.execute(() -> ran.add("second")));

    assertThat(loop.advance()).isEqualTo(2);
    assertThat(ran).containsExactly("second");
  }

  @Test
  void shouldRunTasksOfThePollInTheSamePass() {
    ProgressLoop.Step poll =
        () -> {
          loop.execute(() -> ran.add("from poll"));
          return 1;
        };
    loop.addPoll(poll);
    loop.advance();
    loop.removePoll(poll);

    assertThat(ran).containsExactly("from poll");
    assertThat(loop.advance()).isZero();
  }

  @Test
  void shouldSayThatWorkIsLeftWhenAFlushQueuesMore() {
    ProgressLoop.Step flush =
        () -> {
          loop.execute(() -> ran.add("from flush"));
          return 0;
        };
    loop.addFlush(flush);
    loop.advance();
    loop.removeFlush(flush);

    assertThat(ran).isEmpty();
    assertThat(loop.hasQueuedWork()).isTrue();
    assertThat(loop.advance()).isEqualTo(1);
    assertThat(loop.hasQueuedWork()).isFalse();
  }

  /** The clock is asked after 4 tasks, and after each 4 more. */
  @Test
  void shouldLeaveTheRestToTheNextPassWhenTasksTakeLong() {
    for (int i = 0; i < 20; i++) {
      loop.execute(() -> time.advance(300_000));
    }

    assertThat(loop.advance()).isEqualTo(8);
    assertThat(loop.hasQueuedWork()).isTrue();
    assertThat(loop.advance()).isEqualTo(8);
    assertThat(loop.advance()).isEqualTo(4);
    assertThat(loop.hasQueuedWork()).isFalse();
  }

  @Test
  void shouldDoNothingWhenAPassBeginsInsideAPass() {
    List<Integer> inner = new ArrayList<>();
    loop.execute(
        () -> {
          assertThat(loop.isDriving()).isTrue();
          inner.add(loop.advance());
          assertThat(loop.tryEnter()).isFalse();
        });

    loop.advance();

    assertThat(inner).containsExactly(0);
  }

  @Test
  void shouldGoOnWhenATaskThrows() {
    loop.execute(
        () -> {
          loop.execute(() -> ran.add("own"));
          throw new IllegalStateException("broken");
        });
    loop.execute(() -> ran.add("arrived"));

    assertThatExceptionOfType(IllegalStateException.class).isThrownBy(loop::advance);

    assertThat(loop.isDriving()).isFalse();
    assertThat(loop.hasQueuedWork()).isTrue();
    loop.advance();
    assertThat(ran).containsExactly("own", "arrived");
  }

  @Test
  void shouldKeepWorkVisibleWhenATaskThrowsAfterQueueingItsOwn() {
    loop.execute(
        () -> {
          loop.execute(() -> ran.add("own"));
          throw new IllegalStateException("broken");
        });

    assertThatExceptionOfType(IllegalStateException.class).isThrownBy(loop::advance);

    assertThat(loop.hasQueuedWork()).isTrue();
  }

  @Test
  void shouldTakeTheLoopOnlyWhenNothingIsQueued() {
    assertThat(loop.tryEnter()).isTrue();
    loop.execute(() -> ran.add("queued inside"));
    loop.leave();

    assertThat(loop.hasQueuedWork()).isTrue();
    assertThat(loop.tryEnter()).isFalse();
    loop.advance();
    assertThat(ran).containsExactly("queued inside");
    assertThat(loop.tryEnter()).isTrue();
    loop.leave();
  }

  @Test
  void shouldFlushWhatEnteredDirectlyWhenAWaitEndsAtOnce() {
    loop.addFlush(step("flush"));
    loop.settle();
    assertThat(ran).isEmpty();

    loop.tryEnter();
    loop.leave();
    assertThat(loop.await(() -> true, time.nanoTime(), FOREVER)).isTrue();
    loop.settle();

    assertThat(ran).isNotEmpty().containsOnly("flush");
  }

  @Test
  void shouldNotDriveWhenTheConditionHoldsAlready() {
    loop.execute(() -> ran.add("task"));

    assertThat(loop.await(() -> true, time.nanoTime() - 1, FOREVER)).isTrue();
    assertThat(ran).isEmpty();
  }

  @Test
  void shouldEndWhenTheDeadlineHasPassed() {
    assertThat(loop.await(() -> false, time.nanoTime(), FOREVER)).isFalse();

    loop.timers().schedule(2_000, () -> ran.add("timer"));
    loop.execute(() -> time.advance(5_000));
    assertThat(loop.await(() -> false, 4_000, FOREVER)).isFalse();
    assertThat(ran).as("driven until the end").containsExactly("timer");
  }

  @Test
  void shouldEndAndKeepTheFlagWhenInterrupted() {
    Thread.currentThread().interrupt();

    assertThat(loop.await(() -> false, Long.MAX_VALUE, FOREVER)).isFalse();

    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void shouldRefuseToWaitWhenInsideAPass() {
    AtomicBoolean refused = new AtomicBoolean();
    loop.execute(
        () ->
            assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> loop.await(() -> true, Long.MAX_VALUE, FOREVER))
                .withMessageContaining("inside a pass of its own progress loop")
                .satisfies(e -> refused.set(true)));

    loop.advance();

    assertThat(refused).isTrue();
    assertThat(loop.hasWaiters()).isFalse();
  }

  @Test
  void shouldRefuseAPolicyThatCannotEnd() {
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> new IdlePolicy(-1, 0, 1));
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> new IdlePolicy(0, 0, 0))
        .withMessage("maxParkNs=0 must be greater than 0");
  }
}
