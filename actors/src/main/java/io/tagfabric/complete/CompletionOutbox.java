package io.tagfabric.complete;

import akka.actor.typed.ActorRef;
import io.tagfabric.progress.ProgressLoop;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Where an actor gathers the completions of one message, to publish them to a queue as one. Single
 * threaded: the domain's loop, which is so the ring's only producer.
 *
 * <p>Publishing writes to the ring and tells the queue's actor only if an actor waits for entries:
 * a reading thread sees them without one hop more.
 */
public final class CompletionOutbox implements CompletionSink {
  private final CompletionRing ring;
  private final ProgressLoop loop;
  private final ActorRef<CompletionQueue.Command> queue;
  private final AtomicInteger waitingActors;
  private final CompletionBatch batch = new CompletionBatch();

  CompletionOutbox(
      CompletionRing ring,
      ProgressLoop loop,
      ActorRef<CompletionQueue.Command> queue,
      AtomicInteger waitingActors) {
    this.ring = ring;
    this.loop = loop;
    this.queue = queue;
    this.waitingActors = waitingActors;
  }

  /** Whether it publishes to this ring. */
  public boolean isOf(CompletionRing other) {
    return ring == other;
  }

  @Override
  public CompletionEntry next() {
    return batch.next();
  }

  /** Publishes what was gathered. Call it at the end of every message handled. */
  public void flush() {
    if (batch.isEmpty()) {
      return;
    }
    ring.publish(batch);
    batch.clear();
    if (waitingActors.get() > 0) {
      queue.tell(CompletionQueue.EntriesPublished.INSTANCE);
    }
    loop.wake();
  }
}
