package io.tagfabric.complete;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.testkit.typed.javadsl.TestProbe;
import io.tagfabric.progress.IdlePolicy;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.progress.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class CompletionQueueTest {
  private static final ActorTestKit KIT = ActorTestKit.create();
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final IdlePolicy IDLE = new IdlePolicy(0, 0, 3_600_000_000_000L);

  private final ProgressLoop loop = new ProgressLoop(TimeSource.SYSTEM);
  private final CompletionQueue queue =
      CompletionQueue.open(4, loop, ProgressMode.MANUAL, IDLE, KIT::spawn);
  private final CompletionOutbox outbox = queue.outbox();

  @AfterAll
  static void stop() {
    KIT.shutdownTestKit();
  }

  /** What an actor of the domain does. */
  private void complete(Object context) {
    assertThat(queue.ring().tryReserve()).isTrue();
    loop.execute(
        () -> {
          outbox.next().setSent(context, 1, 2, 3);
          outbox.flush();
        });
  }

  @Test
  void shouldDriveTheLoopWhenRead() {
    assertThat(queue.loop()).isSameAs(loop);
    complete("a");

    assertThat(queue.read(entry -> {}, 0)).isZero();
    assertThat(loop.hasQueuedWork()).isFalse();
    assertThat(queue.read(5)).containsExactly(new Completion.Sent("a", 1, 2, 3));
    assertThat(queue.read(5)).isEmpty();
  }

  /** An entry that waits already when it returns. */
  private void publish(Object context) {
    complete(context);
    queue.read(entry -> {}, 0);
    assertThat(queue.ring().isEmpty()).isFalse();
  }

  @Test
  void shouldReadWhatWaitsBeforeItDrivesButNotForEver() {
    AtomicInteger passes = new AtomicInteger();
    CompletionQueue deep = CompletionQueue.open(64, loop, ProgressMode.MANUAL, IDLE, KIT::spawn);
    CompletionOutbox deepOutbox = deep.outbox();
    loop.execute(
        () -> {
          for (int i = 0; i < 40; i++) {
            deep.ring().tryReserve();
            deepOutbox.next().setSent(i, 1, 2, 3);
          }
          deepOutbox.flush();
        });
    loop.advance();
    loop.addPoll(
        () -> {
          passes.incrementAndGet();
          return 1;
        });

    for (int i = 0; i < 15; i++) {
      assertThat(deep.read(1)).hasSize(1);
    }
    assertThat(passes).hasValue(0);
    assertThat(deep.read(1)).hasSize(1);
    assertThat(passes).as("one of 16 reads drives").hasValue(1);
    assertThat(deep.read(30)).hasSize(24);
    assertThat(passes).hasValue(1);
    assertThat(deep.read(1)).isEmpty();
    assertThat(passes).as("a read that finds nothing drives").hasValue(2);
  }

  @Test
  void shouldDriveBesideAProgressThreadOnlyWhereNothingWaits() {
    AtomicInteger passes = new AtomicInteger();
    CompletionQueue beside = CompletionQueue.open(4, loop, ProgressMode.AUTO, IDLE, KIT::spawn);
    CompletionOutbox besideOutbox = beside.outbox();
    assertThat(beside.ring().tryReserve()).isTrue();
    assertThat(beside.ring().tryReserve()).isTrue();
    loop.addPoll(
        () -> {
          if (passes.incrementAndGet() == 1) {
            besideOutbox.next().setSent("a", 1, 2, 3);
            besideOutbox.next().setSent("b", 1, 2, 3);
            besideOutbox.flush();
          }
          return 1;
        });

    assertThat(beside.read(1)).containsExactly(new Completion.Sent("a", 1, 2, 3));
    assertThat(passes).as("a read that finds nothing drives").hasValue(1);
    assertThat(beside.read(entry -> {}, 0)).isZero();
    assertThat(passes).as("a read of nothing drives").hasValue(2);
    assertThat(beside.read(5)).containsExactly(new Completion.Sent("b", 1, 2, 3));
    assertThat(passes).as("a read that finds an entry does not").hasValue(2);
    loop.addPoll(
        () -> {
          assertThat(beside.read(1)).as("inside a pass").isEmpty();
          return 0;
        });
    assertThat(beside.read(1)).isEmpty();
    assertThat(passes).hasValue(3);
  }

  @Test
  void shouldSendWhatEnteredDirectlyThoughAnEntryWaits() {
    publish("a");
    AtomicInteger flushed = new AtomicInteger();
    loop.addFlush(
        () -> {
          flushed.incrementAndGet();
          return 0;
        });
    assertThat(loop.tryEnter()).isTrue();
    loop.leave(true);

    assertThat(queue.read(1)).hasSize(1);
    assertThat(flushed.get()).isPositive();
  }

  @Test
  void shouldWakeAReaderWhenAnotherThreadCompletes() throws InterruptedException {
    for (int i = 0; i < 200; i++) {
      int number = i;
      Thread thread = new Thread(() -> complete(number));
      thread.start();
      assertThat(queue.readBlocking(PATIENCE).context()).isEqualTo(i);
      thread.join();
    }
  }

  @Test
  void shouldGiveEachEntryToOneWhenManyThreadsWait() throws InterruptedException {
    AtomicInteger read = new AtomicInteger();
    Thread[] readers = new Thread[4];
    for (int i = 0; i < readers.length; i++) {
      readers[i] =
          new Thread(
              () -> {
                while (queue.readBlocking(entry -> read.incrementAndGet(), 1, PATIENCE) > 0) {}
              });
      readers[i].start();
    }
    for (int i = 0; i < 2_000; i++) {
      while (!queue.ring().tryReserve()) {
        Thread.onSpinWait();
      }
      loop.execute(
          () -> {
            outbox.next().setSent("x", 1, 2, 3);
            outbox.flush();
          });
    }
    while (read.get() < 2_000) {
      Thread.yield();
    }
    for (int i = 0; i < readers.length; i++) {
      queue.signal();
    }
    for (Thread reader : readers) {
      reader.join();
    }
    assertThat(read).hasValue(2_000);
  }

  @Test
  void shouldEndAtTheDeadlineWhenAnotherReaderHoldsTheRing() throws InterruptedException {
    complete("a");
    complete("b");
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch done = new CountDownLatch(1);
    Thread holder =
        new Thread(
            () ->
                queue.readBlocking(
                    entry -> {
                      held.countDown();
                      awaitUninterruptibly(done);
                    },
                    1,
                    PATIENCE));
    holder.start();
    held.await();

    assertThat(queue.readBlocking(entry -> {}, 1, Duration.ofMillis(5))).isZero();

    done.countDown();
    holder.join();
    assertThat(queue.read(5)).hasSize(1);
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void shouldKeepTheInterruptWhenInterrupted() {
    Thread.currentThread().interrupt();

    assertThat(queue.readBlocking(PATIENCE)).isNull();

    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void shouldEndOneWaitForEachSignal() {
    queue.signal();
    queue.signal();

    assertThat(queue.readBlocking(PATIENCE)).isNull();
    assertThat(queue.readBlocking(PATIENCE)).isNull();
    assertThat(queue.readBlocking(Duration.ofNanos(1))).isNull();
  }

  @Test
  void shouldAnswerActorsInTurn() {
    TestProbe<CompletionQueue.Entries> first = KIT.createTestProbe();
    TestProbe<CompletionQueue.Entries> second = KIT.createTestProbe();
    queue.ref().tell(new CompletionQueue.ReadEntries(1, first.ref()));
    queue.ref().tell(new CompletionQueue.ReadEntries(9, second.ref()));
    queue.signal();

    assertThat(first.receiveMessage(PATIENCE).completions()).isEmpty();
    complete("a");
    loop.advance();
    assertThat(second.receiveMessage(PATIENCE))
        .isEqualTo(new CompletionQueue.Entries(List.of(new Completion.Sent("a", 1, 2, 3))));
  }

  @Test
  void shouldRefuseToWaitForNothing() {
    TestProbe<CompletionQueue.Entries> probe = KIT.createTestProbe();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> queue.readBlocking(entry -> {}, 0, PATIENCE))
        .withMessage("limit=0 < 1, wait for at least one entry");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CompletionQueue.ReadEntries(0, probe.ref()))
        .withMessage("max=0 < 1, ask for at least one entry");
  }
}
