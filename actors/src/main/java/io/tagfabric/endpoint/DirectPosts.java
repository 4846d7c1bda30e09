package io.tagfabric.endpoint;

import io.tagfabric.complete.CompletionOutbox;
import io.tagfabric.error.FabricError;
import io.tagfabric.match.Claim;
import io.tagfabric.match.PostedProbe;
import io.tagfabric.match.PostedReceive;
import io.tagfabric.match.ProbeKind;
import io.tagfabric.match.ReceiveContext;
import io.tagfabric.progress.HandOver;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.progress.StepQueue;
import io.tagfabric.wire.MessageView;
import org.agrona.DirectBuffer;

/**
 * The loop's own call into an endpoint: a thread takes the loop and calls the core that the actor
 * wraps, instead of telling the actor. Refused while somebody else drives or a mailbox waits; the
 * post is then told, and the order of one thread's posts is kept either way. Code that runs on the
 * loop already (a listener, another actor of the domain) adds a step, which runs when the handler
 * that is at work has returned.
 *
 * <p>A short message may leave at once. What a post leaves to flush goes out with the next pass. In
 * MANUAL mode that is the application's, in AUTO mode the progress thread is woken for it, unless a
 * wait comes first.
 */
final class DirectPosts {
  private final ProgressLoop loop;
  private final boolean wakes;
  private final boolean tells;
  private final EndpointCore core;
  private final EndpointLife life;
  private final SendCompletions sent;
  private final ReceiveContext receives;
  private final CompletionOutbox received;
  private final MessageView injected = new MessageView();
  private final StepQueue.Handler<SendOperation> sendStep = this::begin;
  private final StepQueue.Handler<PostedReceive> postStep = this::begin;
  private final StepQueue.Handler<PostedProbe> probeStep = this::begin;
  private final StepQueue.Handler<Object> cancelSendStep;
  private final StepQueue.Handler<Object> cancelReceiveStep;

  DirectPosts(
      ProgressLoop loop,
      ProgressMode mode,
      EndpointCore core,
      EndpointLife life,
      SendCompletions sent,
      ReceiveContext receives,
      CompletionOutbox received) {
    this.loop = loop;
    this.wakes = mode == ProgressMode.AUTO;
    this.tells = loop.handOver() == HandOver.MAILBOX;
    this.core = core;
    this.life = life;
    this.sent = sent;
    this.receives = receives;
    this.received = received;
    this.cancelSendStep = guarded(context -> core.cancelSend(context));
    this.cancelReceiveStep = guarded(context -> receives.cancel(context));
  }

  private StepQueue.Handler<Object> guarded(StepQueue.Handler<Object> handler) {
    return context -> {
      try {
        handler.take(context);
      } catch (RuntimeException e) {
        life.defect(e);
      }
      sent.flush();
      received.flush();
    };
  }

  /** Starts a send that has been accepted; false if it must be told. Thread: any. */
  boolean send(SendOperation operation) {
    if (tells || !loop.tryEnter()) {
      return joins(sendStep, operation);
    }
    try {
      begin(operation);
    } finally {
      leave(core.hasUnflushed());
    }
    return true;
  }

  /**
   * Hands a short message to the channel, or puts it into the packet that is open to the peer.
   *
   * @return false if that cannot be done now, and nothing has happened
   */
  boolean inject(
      int peer,
      DirectBuffer buffer,
      int offset,
      int length,
      boolean hasData,
      long data,
      boolean untagged,
      long tag) {
    if (tells || !loop.tryEnter()) {
      return false;
    }
    try {
      injected.show(tag, buffer, offset, length);
      if (hasData) {
        injected.showData(data);
      }
      if (untagged) {
        injected.showUntagged();
      }
      boolean left = core.inject(peer, injected);
      if (left) {
        sent.injected(length);
      }
      return left;
    } catch (RuntimeException e) {
      life.defect(e);
      throw e;
    } finally {
      leave(core.hasUnflushed());
    }
  }

  /** Posts a receive that has been accepted; false if it must be told. Thread: any. */
  boolean post(PostedReceive receive) {
    if (tells || !loop.tryEnter()) {
      return joins(postStep, receive);
    }
    boolean met = true;
    try {
      met = begin(receive);
    } finally {
      leave(met);
    }
    return true;
  }

  /**
   * Probes at once for the receive queue, where a slot is reserved.
   *
   * @param untagged whether to look among the messages without a tag
   * @param claim takes the message; null if the probe is no claim
   * @return false if that cannot be done now, and nothing has happened
   */
  boolean probe(
      ProbeKind kind,
      boolean untagged,
      long tag,
      long ignore,
      int source,
      Claim claim,
      Object context) {
    if (tells || !loop.tryEnter()) {
      return false;
    }
    boolean freed = true;
    try {
      freed = receives.probe(kind, untagged, tag, ignore, source, claim, context, null);
    } catch (RuntimeException e) {
      life.defect(e, (PostedReceive) null);
      receives.refuseProbe(untagged, source, tag, context, null);
    } finally {
      received.flush();
      leave(freed);
    }
    return true;
  }

  /** Starts a probe that has been accepted; false if it must be told. Thread: any. */
  boolean post(PostedProbe probe) {
    if (tells || !loop.tryEnter()) {
      return joins(probeStep, probe);
    }
    boolean freed = true;
    try {
      freed = begin(probe);
    } finally {
      leave(freed);
    }
    return true;
  }

  /** A program's send is accepted. Thread: any. */
  void accepted(SendOperation operation) {
    sent.accepted(operation);
  }

  /** A program's receive is accepted. Thread: any. */
  void accepted(PostedReceive receive) {
    receives.accepted(receive);
  }

  /** Takes back a send of which bytes are left; false if that must be told. Thread: the loop. */
  boolean cancelSend(Object context) {
    return joins(cancelSendStep, context);
  }

  /** Cancels a receive that has not matched; false if that must be told. Thread: the loop. */
  boolean cancelReceive(Object context) {
    return joins(cancelReceiveStep, context);
  }

  /** Whether code on the loop may add a step: what it told before has been handled then. */
  private <T> boolean joins(StepQueue.Handler<T> handler, T operation) {
    if (tells || !loop.mayStep()) {
      return false;
    }
    loop.steps().add(handler, operation);
    return true;
  }

  /** Thread: the loop. */
  void begin(SendOperation operation) {
    sent.accepted(operation);
    try {
      if (sent.mayBegin(operation)) {
        core.send(operation);
      }
    } catch (RuntimeException e) {
      life.defect(e, operation);
    }
    sent.flush();
  }

  /**
   * Thread: the loop.
   *
   * @return whether the receive has met a message, so that there is something to flush
   */
  boolean begin(PostedReceive receive) {
    boolean met = true;
    try {
      met = receives.post(receive);
    } catch (RuntimeException e) {
      life.defect(e, receive);
    }
    received.flush();
    return met;
  }

  /**
   * Thread: the loop.
   *
   * @return whether there is something to flush
   */
  boolean begin(PostedProbe probe) {
    boolean freed = true;
    try {
      freed = receives.probe(probe);
    } catch (RuntimeException e) {
      life.defect(e, (PostedReceive) null);
      receives.refuse(probe);
    }
    received.flush();
    return freed;
  }

  /** End of a pass: sends what has gathered, publishes what has ended. Thread: the loop. */
  int flush() {
    int work = 0;
    try {
      work = receives.pull();
      received.flush();
      work += core.flush();
      sent.flush();
    } catch (RuntimeException e) {
      life.defect(e);
    }
    return work;
  }

  /** Goes on with messages that waited for a slot in the receive queue. Thread: the loop. */
  void resume() {
    try {
      receives.resume();
    } catch (RuntimeException e) {
      life.defect(e);
    }
    received.flush();
  }

  /** Ends a send that was accepted and will not begin. Thread: the loop. */
  void fail(SendOperation operation, FabricError error, String detail) {
    sent.fail(operation, error, detail);
    sent.flush();
  }

  /** As {@link #fail(SendOperation, FabricError, String)} for a receive. */
  void fail(PostedReceive receive, FabricError error, String detail) {
    receives.end(receive, error, detail);
    received.flush();
  }

  /** Fails a send that was told to an actor that may have stopped, unless it has begun with it. */
  void refuse(SendOperation operation) {
    onLoop(
        () -> {
          if (operation.begin()) {
            core.refuse(operation);
            sent.flush();
          }
        });
  }

  /** As {@link #refuse(SendOperation)} for a receive. */
  void refuse(PostedReceive receive) {
    onLoop(
        () -> {
          receives.refuse(receive);
          received.flush();
        });
  }

  /** As {@link #refuse(SendOperation)} for a probe. */
  void refuse(PostedProbe probe) {
    onLoop(
        () -> {
          receives.refuse(probe);
          received.flush();
        });
  }

  /** Runs something on the loop of a domain that closes: nobody else may drive it any more. */
  private void onLoop(Runnable task) {
    loop.execute(task);
    while (!loop.isDriving() && loop.hasQueuedWork()) {
      if (loop.advance() == 0) {
        Thread.yield();
      }
    }
  }

  private void leave(boolean unflushed) {
    if (loop.leave(unflushed) && wakes) {
      loop.wake();
    }
  }
}
