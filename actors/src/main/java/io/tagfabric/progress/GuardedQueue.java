package io.tagfabric.progress;

import akka.actor.ActorPath;
import akka.actor.ActorRef;
import akka.dispatch.Envelope;
import akka.dispatch.MessageQueue;
import akka.dispatch.UnboundedMessageQueueSemantics;
import org.agrona.concurrent.ManyToOneConcurrentLinkedQueue;

/** The queue of one {@link GuardedMailbox}: unbounded, without locks, read by its actor alone. */
final class GuardedQueue implements MessageQueue, UnboundedMessageQueueSemantics {
  private final GuardedMailbox guard;
  private final Guards guards;
  private final MailCount mail;
  private final ProgressLoop wakes;
  private final ManyToOneConcurrentLinkedQueue<Envelope> queue =
      new ManyToOneConcurrentLinkedQueue<>();

  /** Set when the actor has ended. */
  private volatile MessageQueue deadLetters;

  GuardedQueue(GuardedMailbox guard, Guards guards, ActorPath actor) {
    this.guard = guard;
    this.guards = guards;
    ProgressLoop counting = guards.counting(actor);
    mail = counting == null ? new MailCount() : counting.mail();
    wakes = guards.waking(actor);
  }

  @Override
  public void enqueue(ActorRef receiver, Envelope envelope) {
    if (!guard.takes(envelope.message())) {
      guards.drop(receiver, envelope.message());
      return;
    }
    // First, so that the count is never less than what waits.
    mail.added();
    queue.offer(envelope);
    if (deadLetters != null) {
      toDeadLetters(receiver);
    } else if (wakes != null && !ProgressThread.isOwn(envelope.message())) {
      wakes.wakeResident();
    }
  }

  @Override
  public Envelope dequeue() {
    Envelope envelope = queue.poll();
    if (envelope != null) {
      mail.taken();
    }
    return envelope;
  }

  @Override
  public int numberOfMessages() {
    return queue.size();
  }

  @Override
  public boolean hasMessages() {
    return !queue.isEmpty();
  }

  @Override
  public void cleanUp(ActorRef owner, MessageQueue letters) {
    deadLetters = letters;
    toDeadLetters(owner);
  }

  /**
   * What comes too late would be counted for ever. A sender first swaps the tail and then looks for
   * dead letters, the cleaner does it the other way round: one of them sees the other.
   */
  private synchronized void toDeadLetters(ActorRef owner) {
    while (!queue.isEmpty()) {
      Envelope envelope = dequeue();
      if (envelope == null) {
        Thread.onSpinWait();
      } else {
        deadLetters.enqueue(owner, envelope);
      }
    }
  }
}
