package io.tagfabric.complete;

import akka.actor.typed.ActorRef;
import java.util.ArrayDeque;

/**
 * Where an actor gathers the completions of one message, to tell them to a queue as one. Single
 * threaded: the domain's loop. Batches come back after publishing and are used again.
 */
public final class CompletionOutbox implements CompletionSink {
  private final ActorRef<CompletionQueue.Command> queue;
  private final ArrayDeque<CompletionQueue.Publish> spare = new ArrayDeque<>();
  private CompletionQueue.Publish current;

  public CompletionOutbox(ActorRef<CompletionQueue.Command> queue) {
    this.queue = queue;
  }

  @Override
  public CompletionEntry next() {
    if (current == null) {
      CompletionQueue.Publish used = spare.pollFirst();
      current = used != null ? used : new CompletionQueue.Publish(new CompletionBatch(), this);
    }
    return current.batch().next();
  }

  /** Tells the queue what was gathered. Call it at the end of every message handled. */
  public void flush() {
    if (current != null) {
      queue.tell(current);
      current = null;
    }
  }

  void published(CompletionQueue.Publish publish) {
    publish.batch().clear();
    spare.addFirst(publish);
  }
}
