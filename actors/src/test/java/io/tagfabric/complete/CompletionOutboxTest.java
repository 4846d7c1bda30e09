package io.tagfabric.complete;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.javadsl.BehaviorTestKit;
import akka.actor.testkit.typed.javadsl.TestInbox;
import akka.actor.typed.PostStop;
import io.tagfabric.progress.HandOver;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.progress.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** When an outbox publishes, and when it leaves that to the queue's actor. */
class CompletionOutboxTest {
  private final TestInbox<CompletionQueue.Command> queue = TestInbox.create();
  private final CompletionRing ring = new CompletionRing(8);
  private final AtomicInteger waitingActors = new AtomicInteger();

  private CompletionOutbox outbox(HandOver handOver) {
    ProgressLoop loop = new ProgressLoop(TimeSource.SYSTEM, 1, handOver);
    return new CompletionOutbox(ring, loop, queue.getRef(), waitingActors);
  }

  private void complete(CompletionOutbox outbox, Object context) {
    assertThat(ring.tryReserve()).isTrue();
    outbox.next().setSent(context, 1, 2, 3);
    outbox.flush();
  }

  private List<Object> read() {
    List<Object> contexts = new ArrayList<>();
    ring.read(entry -> contexts.add(entry.context()), 8);
    return contexts;
  }

  @Test
  void shouldPublishAtOnceWhenCoresHandOverByCalls() {
    CompletionOutbox outbox = outbox(HandOver.CALL);

    outbox.flush();
    complete(outbox, "a");

    assertThat(read()).containsExactly("a");
    assertThat(queue.hasMessages()).as("no actor waits").isFalse();
  }

  @Test
  void shouldTellTheQueueOfEntriesWhenAnActorWaits() {
    CompletionOutbox outbox = outbox(HandOver.CALL);
    waitingActors.set(1);

    complete(outbox, "a");

    assertThat(queue.getAllReceived()).containsExactly(CompletionQueue.EntriesPublished.INSTANCE);
  }

  @Test
  void shouldPublishABatchForEachTimeTheQueueSaysSo() {
    CompletionOutbox outbox = outbox(HandOver.MAILBOX);

    outbox.flush();
    complete(outbox, "a");
    complete(outbox, "b");

    CompletionQueue.Publish publish = new CompletionQueue.Publish(outbox);
    assertThat(queue.getAllReceived()).containsExactly(publish, publish);
    assertThat(read()).isEmpty();
    outbox.publishTold();
    assertThat(read()).containsExactly("a");
    outbox.publishTold();
    assertThat(read()).containsExactly("b");
    outbox.publishTold();
    assertThat(read()).isEmpty();
  }

  @Test
  void shouldPublishWhatWasToldAndAllThatFollowsWhenTheQueueStops() {
    CompletionOutbox outbox = outbox(HandOver.MAILBOX);
    complete(outbox, "a");
    complete(outbox, "b");
    queue.getAllReceived();

    outbox.queueStopped();

    assertThat(read()).containsExactly("a", "b");
    complete(outbox, "c");
    assertThat(read()).containsExactly("c");
    assertThat(queue.hasMessages()).isFalse();
  }

  @Test
  void shouldBePublishedByTheActorUntilThatStops() {
    CompletionOutbox outbox = outbox(HandOver.MAILBOX);
    BehaviorTestKit<CompletionQueue.Command> actor =
        BehaviorTestKit.create(
            CompletionQueueActor.create(ring, new AtomicInteger(), waitingActors, List.of(outbox)));
    complete(outbox, "a");
    complete(outbox, "b");
    complete(outbox, "c");
    complete(outbox, "d");

    actor.run(new CompletionQueue.Publish(outbox));
    assertThat(read()).containsExactly("a");
    actor.run(new CompletionQueue.Publish(outbox));
    assertThat(read()).containsExactly("b");
    actor.signal(PostStop.instance());
    assertThat(read()).containsExactly("c", "d");
  }

  /** Without a flush that follows, and after it, a pass publishes. */
  @Test
  void shouldBeLeftOutOfThePassOnlyUntilTheFlushThatFollows() {
    ProgressLoop loop = new ProgressLoop(TimeSource.SYSTEM, 1, HandOver.CALL);
    CompletionOutbox outbox = new CompletionOutbox(ring, loop, queue.getRef(), waitingActors);
    List<String> passes = new ArrayList<>();
    outbox.whenDue(
        loop.flushWhenDue(
            () -> {
              passes.add("flush");
              outbox.flush();
              return 1;
            }));

    outbox.flushFollows();
    complete(outbox, "a");
    assertThat(read()).containsExactly("a");
    assertThat(loop.advance()).isZero();
    assertThat(passes).isEmpty();

    for (String context : List.of("b", "c")) {
      assertThat(ring.tryReserve()).isTrue();
      outbox.next().setSent(context, 1, 2, 3);
      assertThat(read()).isEmpty();
      loop.advance();
      assertThat(read()).containsExactly(context);
      outbox.flushFollows();
      outbox.flush(); // of nothing
    }
    assertThat(passes).hasSize(2);
  }

  @Test
  void shouldBePublishedAtTheEndOfABatchThoughTheCallInItFlushes() {
    ProgressLoop loop = new ProgressLoop(TimeSource.SYSTEM, 1, HandOver.CALL);
    CompletionOutbox outbox = new CompletionOutbox(ring, loop, queue.getRef(), waitingActors);
    outbox.whenDue(
        loop.flushWhenDue(
            () -> {
              outbox.flush();
              return 1;
            }));

    assertThat(loop.tryBatch()).isTrue();
    for (String context : List.of("a", "b")) {
      outbox.flushFollows();
      complete(outbox, context);
      assertThat(read()).isEmpty();
    }
    assertThat(loop.endBatch()).as("more to flush").isFalse();

    assertThat(read()).containsExactly("a", "b");
  }

  @Test
  void shouldKnowTheRingItPublishesTo() {
    CompletionOutbox outbox = outbox(HandOver.CALL);

    assertThat(outbox.isOf(ring)).isTrue();
    assertThat(outbox.isOf(new CompletionRing(8))).isFalse();
  }
}
