package io.tagfabric.complete;

import akka.actor.typed.ActorRef;
import io.tagfabric.annotation.InternalApi;
import io.tagfabric.progress.DueFlushes;
import io.tagfabric.progress.HandOver;
import io.tagfabric.progress.ProgressLoop;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Where the completions of one step gather, to be published to a queue as one. Single threaded: the
 * domain's loop, which is so the ring's only producer.
 *
 * <p>Publishing writes to the ring and tells the queue's actor only if an actor waits for entries:
 * a reading thread sees them without one hop more. Where cores hand over by mailbox, that actor
 * publishes.
 */
@InternalApi
public final class CompletionOutbox implements CompletionSink {
  private final CompletionRing ring;
  private final ProgressLoop loop;
  private final ActorRef<CompletionQueue.Command> queue;
  private final AtomicInteger waitingActors;
  private final boolean tells;
  private final ArrayDeque<CompletionBatch> told = new ArrayDeque<>();
  private CompletionBatch batch = new CompletionBatch();
  private boolean queueStopped;

  /** Marked while there is something to publish; null if each pass comes by. */
  private DueFlushes.Flush due;

  /** Whether the caller flushes what comes next, so that nothing is marked for it. */
  private boolean flushFollows;

  CompletionOutbox(
      CompletionRing ring,
      ProgressLoop loop,
      ActorRef<CompletionQueue.Command> queue,
      AtomicInteger waitingActors) {
    this.ring = ring;
    this.loop = loop;
    this.queue = queue;
    this.waitingActors = waitingActors;
    this.tells = loop.handOver() == HandOver.MAILBOX;
  }

  /** Whether it publishes to this ring. */
  public boolean isOf(CompletionRing other) {
    return ring == other;
  }

  /** Sets what is marked while there is something to publish, and calls {@link #flush}. */
  public void whenDue(DueFlushes.Flush newDue) {
    due = newDue;
    if (!batch.isEmpty()) {
      due.mark();
    }
  }

  /** The caller will call {@link #flush} before it returns: what comes until then is not marked. */
  public void flushFollows() {
    flushFollows = true;
  }

  @Override
  public CompletionEntry next() {
    if (due != null && !flushFollows) {
      due.mark();
    }
    return batch.next();
  }

  /**
   * Publishes what was gathered; in a batch of calls at its end. Call it at the end of every step
   * handled.
   */
  public void flush() {
    flushFollows = false;
    if (batch.isEmpty()) {
      return;
    }
    if (due != null && loop.isBatching()) {
      due.mark();
      return;
    }
    if (tells && !queueStopped) {
      told.addLast(batch);
      batch = new CompletionBatch();
      queue.tell(new CompletionQueue.Publish(this));
    } else {
      publish(batch);
    }
    if (due != null) {
      due.unmark();
    }
  }

  /** Publishes the oldest batch that the queue was told of. */
  void publishTold() {
    CompletionBatch oldest = told.pollFirst();
    if (oldest != null) {
      publish(oldest);
    }
  }

  /** The queue's actor publishes nothing more, so this outbox does. */
  void queueStopped() {
    queueStopped = true;
    while (!told.isEmpty()) {
      publishTold();
    }
  }

  private void publish(CompletionBatch batch) {
    ring.publish(batch);
    if (waitingActors.get() > 0) {
      queue.tell(CompletionQueue.EntriesPublished.INSTANCE);
    }
    loop.wakeWaiters();
  }
}
