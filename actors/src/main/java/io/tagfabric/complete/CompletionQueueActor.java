package io.tagfabric.complete;

import akka.actor.typed.Behavior;
import akka.actor.typed.PostStop;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Answers the readers of a completion queue that are actors, first come first served; publishes
 * entries where cores hand over by mailbox.
 */
final class CompletionQueueActor extends AbstractBehavior<CompletionQueue.Command> {
  private final CompletionRing ring;
  private final AtomicInteger signals;
  private final AtomicInteger waitingActors;
  private final Collection<CompletionOutbox> outboxes;
  private final ArrayDeque<CompletionQueue.ReadEntries> readers = new ArrayDeque<>();

  private CompletionQueueActor(
      ActorContext<CompletionQueue.Command> context,
      CompletionRing ring,
      AtomicInteger signals,
      AtomicInteger waitingActors,
      Collection<CompletionOutbox> outboxes) {
    super(context);
    this.outboxes = outboxes;
    this.ring = ring;
    this.signals = signals;
    this.waitingActors = waitingActors;
  }

  static Behavior<CompletionQueue.Command> create(
      CompletionRing ring,
      AtomicInteger signals,
      AtomicInteger waitingActors,
      Collection<CompletionOutbox> outboxes) {
    return Behaviors.setup(
        context -> new CompletionQueueActor(context, ring, signals, waitingActors, outboxes));
  }

  @Override
  public Receive<CompletionQueue.Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(CompletionQueue.EntriesPublished.class, notUsed -> onEntriesPublished())
        .onMessage(CompletionQueue.Publish.class, this::onPublish)
        .onMessage(CompletionQueue.ReadEntries.class, this::onReadEntries)
        .onMessage(CompletionQueue.Signal.class, notUsed -> onSignal())
        .onSignal(PostStop.class, notUsed -> onPostStop())
        .build();
  }

  private Behavior<CompletionQueue.Command> onEntriesPublished() {
    answerReaders();
    return this;
  }

  private Behavior<CompletionQueue.Command> onPublish(CompletionQueue.Publish publish) {
    publish.from().publishTold();
    return this;
  }

  /** Outboxes publish by themselves from now on, beginning with what they have told. */
  private Behavior<CompletionQueue.Command> onPostStop() {
    outboxes.forEach(CompletionOutbox::queueStopped);
    return this;
  }

  private Behavior<CompletionQueue.Command> onReadEntries(CompletionQueue.ReadEntries read) {
    readers.addLast(read);
    waitingActors.set(readers.size());
    answerReaders();
    return onSignal();
  }

  /** A waiting thread has taken the signal already, or it is for the first actor that waits. */
  private Behavior<CompletionQueue.Command> onSignal() {
    CompletionQueue.ReadEntries reader = readers.peekFirst();
    int pending = signals.get();
    if (reader != null && pending > 0 && signals.compareAndSet(pending, pending - 1)) {
      answer(List.of());
    }
    return this;
  }

  private void answerReaders() {
    CompletionQueue.ReadEntries reader;
    while ((reader = readers.peekFirst()) != null) {
      List<Completion> completions = new ArrayList<>();
      if (ring.read(entry -> completions.add(entry.toCompletion()), reader.max()) == 0) {
        return;
      }
      answer(completions);
    }
  }

  private void answer(List<Completion> completions) {
    readers.pollFirst().replyTo().tell(new CompletionQueue.Entries(completions));
    waitingActors.set(readers.size());
  }
}
