package io.tagfabric.complete;

import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import io.tagfabric.progress.ProgressLoop;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Publishes completions to the ring, its sole producer, and answers readers that are actors. */
final class CompletionQueueActor extends AbstractBehavior<CompletionQueue.Command> {
  private final CompletionRing ring;
  private final AtomicInteger signals;
  private final ProgressLoop loop;
  private final ArrayDeque<CompletionQueue.ReadEntries> readers = new ArrayDeque<>();

  private CompletionQueueActor(
      ActorContext<CompletionQueue.Command> context,
      CompletionRing ring,
      AtomicInteger signals,
      ProgressLoop loop) {
    super(context);
    this.ring = ring;
    this.signals = signals;
    this.loop = loop;
  }

  static Behavior<CompletionQueue.Command> create(
      CompletionRing ring, AtomicInteger signals, ProgressLoop loop) {
    return Behaviors.setup(context -> new CompletionQueueActor(context, ring, signals, loop));
  }

  @Override
  public Receive<CompletionQueue.Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(CompletionQueue.Publish.class, this::onPublish)
        .onMessage(CompletionQueue.ReadEntries.class, this::onReadEntries)
        .onMessage(CompletionQueue.Signal.class, notUsed -> onSignal())
        .build();
  }

  private Behavior<CompletionQueue.Command> onPublish(CompletionQueue.Publish publish) {
    ring.publish(publish.batch());
    publish.outbox().published(publish);
    if (!readers.isEmpty()) {
      answerReaders();
    }
    loop.wake();
    return this;
  }

  private Behavior<CompletionQueue.Command> onReadEntries(CompletionQueue.ReadEntries read) {
    readers.addLast(read);
    answerReaders();
    return this;
  }

  /** A waiting thread has taken the signal already, or it is for the first actor that waits. */
  private Behavior<CompletionQueue.Command> onSignal() {
    CompletionQueue.ReadEntries reader = readers.peekFirst();
    int pending = signals.get();
    if (reader != null && pending > 0 && signals.compareAndSet(pending, pending - 1)) {
      readers.pollFirst();
      reader.replyTo().tell(new CompletionQueue.Entries(List.of()));
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
      readers.pollFirst();
      reader.replyTo().tell(new CompletionQueue.Entries(completions));
    }
  }
}
