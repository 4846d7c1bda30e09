package io.tagfabric.link.send;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionEntry;
import io.tagfabric.complete.CompletionOutbox;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.complete.Counter;
import io.tagfabric.complete.Direction;
import io.tagfabric.complete.ListenerFailures;
import io.tagfabric.error.FabricError;
import io.tagfabric.progress.DueFlushes;

/**
 * Ends sends: tells the endpoint's transmit queue, or the send's listener. Single threaded: the
 * domain's loop.
 */
@InternalApi
public final class SendCompletions {
  public static final String SENDS_NOT =
      "the endpoint was opened to receive only, open one that sends";

  private final CompletionOutbox completions;
  private final CompletionQueue queue;
  private final Counter counter;
  private final ListenerFailures listenerFailures = new ListenerFailures();
  private boolean refuses;
  private boolean closing;
  private int failedByClose;

  /**
   * Ends of sends.
   *
   * @param counter counts those of programs; null for none
   */
  public SendCompletions(CompletionQueue queue, Counter counter) {
    this.queue = queue;
    this.counter = counter;
    completions = queue.outbox();
  }

  /** From now on programs must not send. */
  public void sendNothing() {
    refuses = true;
  }

  /** Whether a send may begin; if not, it has failed. */
  public boolean mayBegin(SendOperation send) {
    if (refuses) {
      fail(send, FabricError.OPERATION_NOT_SUPPORTED, SENDS_NOT);
    }
    return !refuses;
  }

  /** Sets what runs when {@link #flush} has something to do. */
  public void whenDue(DueFlushes.Flush due) {
    completions.whenDue(due);
  }

  /** A send is accepted, or begun with: it will be counted when it ends. Thread: any. */
  public void accepted(SendOperation send) {
    if (counter != null && send.count()) {
      counter.begun();
    }
  }

  /** A program's short message has left without an operation. */
  public void injected(int payloadBytes) {
    if (counter != null) {
      counter.count(payloadBytes);
    }
  }

  /** A send has reached its completion level. */
  public void complete(SendOperation send) {
    if (!send.end()) {
      return;
    }
    if (send.listener() != null) {
      tellSent(send);
    } else if (send.hearer() != null) {
      tellSent(send.hearer());
    } else if (send.isSilent()) {
      queue.ring().release();
    } else {
      CompletionEntry entry =
          completions.next().setSent(send.context(), send.peer(), send.tag(), send.length());
      if (send.isUntagged()) {
        entry.setUntagged();
      }
    }
    if (send.isCounted()) {
      counter.ended(send.length());
    }
  }

  /** A send will never reach it. */
  public void fail(SendOperation send, FabricError error, String detail) {
    if (!send.end()) {
      return;
    }
    countFailure();
    if (send.listener() != null) {
      tellFailed(send, error, detail);
    } else if (send.hearer() != null) {
      tellFailed(send.hearer(), error, detail);
    } else {
      CompletionEntry entry = completions.next();
      entry.setFailed(send.context(), error, send.peer(), send.tag(), 0, 0, Direction.SEND, detail);
      if (send.mayHaveArrived()) {
        entry.setMayHaveArrived();
      }
      if (send.isUntagged()) {
        entry.setUntagged();
      }
    }
    if (send.isCounted()) {
      counter.failed();
    }
  }

  private void tellSent(SendOperation send) {
    try {
      send.listener()
          .onSent(
              new Completion.Sent(
                  send.context(), send.peer(), !send.isUntagged(), send.tag(), send.length()));
    } catch (Throwable e) {
      listenerFailures.caught(send.listener(), e);
    }
  }

  private void tellSent(RepeatedSend.Listener hearer) {
    try {
      hearer.onSent();
    } catch (Throwable e) {
      listenerFailures.caught(hearer, e);
    }
  }

  private void tellFailed(RepeatedSend.Listener hearer, FabricError error, String detail) {
    try {
      hearer.onFailed(error, detail);
    } catch (Throwable e) {
      listenerFailures.caught(hearer, e);
    }
  }

  private void tellFailed(SendOperation send, FabricError error, String detail) {
    try {
      send.listener()
          .onFailed(
              new Completion.Failed(
                  send.context(),
                  error,
                  send.peer(),
                  !send.isUntagged(),
                  send.tag(),
                  0,
                  0,
                  0,
                  false,
                  0,
                  Direction.SEND,
                  send.mayHaveArrived(),
                  detail));
    } catch (Throwable e) {
      listenerFailures.caught(send.listener(), e);
    }
  }

  /** From now on sends fail because of the close. */
  public void beginClose() {
    closing = true;
  }

  /** Sends that have failed because of the close. */
  public int failedByClose() {
    return failedByClose;
  }

  // ---- for accesses, which share the queue ----

  public CompletionOutbox outbox() {
    return completions;
  }

  /** A success leaves no entry. */
  public void releaseSlot() {
    queue.ring().release();
  }

  /** Something that was accepted has failed, perhaps because of the close. */
  public void countFailure() {
    if (closing) {
      failedByClose++;
    }
  }

  /** Publishes what has ended. */
  public void flush() {
    completions.flush();
  }
}
