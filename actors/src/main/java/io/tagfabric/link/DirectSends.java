package io.tagfabric.link;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.error.FabricError;
import io.tagfabric.flow.Flow;
import io.tagfabric.flow.window.FlowCounters;
import io.tagfabric.link.send.SendCompletions;
import io.tagfabric.link.send.SendOperation;
import io.tagfabric.progress.StepQueue;
import io.tagfabric.wire.MessageView;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;

/** The loop's own call into the sending half of an endpoint. A short message may leave at once. */
@InternalApi
public final class DirectSends {
  /** A flow to set up, and who waits for it. */
  private record Connecting(int peer, FlowWaiters.Waiter waiter) {}

  private final LoopEntry entry;
  private final EndpointCore core;
  private final EndpointLife life;
  private final SendCompletions sent;
  private final MessageView injected = new MessageView();
  private final StepQueue.Handler<SendOperation> sendStep = this::begin;
  private final StepQueue.Handler<Object> cancelStep = this::cancelNow;
  private final StepQueue.Handler<Connecting> connectStep = this::connectNow;

  public DirectSends(LoopEntry entry, EndpointCore core, EndpointLife life, SendCompletions sent) {
    this.entry = entry;
    this.core = core;
    this.life = life;
    this.sent = sent;
  }

  /** Starts a send that has been accepted; false if it must be told. Thread: any. */
  public boolean send(SendOperation operation) {
    if (!entry.tryEnter()) {
      return entry.joins(sendStep, operation);
    }
    try {
      begin(operation);
    } finally {
      entry.leave(core.hasUnflushed());
    }
    return true;
  }

  /**
   * Starts a send only if it can leave now.
   *
   * @return false if nothing has happened
   */
  public boolean sendNow(SendOperation operation) {
    if (!entry.tryEnterNow()) {
      return false;
    }
    try {
      boolean leaves = core.mayLeaveNow(operation);
      if (leaves) {
        begin(operation);
      }
      return leaves;
    } finally {
      entry.leave(core.hasUnflushed());
    }
  }

  /**
   * Hands a short message to the channel, or puts it into the packet that is open to the peer.
   *
   * @return false if that cannot be done now, and nothing has happened
   */
  public boolean inject(
      int peer,
      DirectBuffer buffer,
      int offset,
      int length,
      boolean hasData,
      long data,
      boolean untagged,
      long tag) {
    if (!entry.tryEnter()) {
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
      entry.leave(core.hasUnflushed());
    }
  }

  /** A program's send is accepted. Thread: any. */
  public void accepted(SendOperation operation) {
    sent.accepted(operation);
  }

  /** Takes back a send of which bytes are left; false if that must be told. Thread: the loop. */
  public boolean cancel(Object listener) {
    return entry.joins(cancelStep, listener);
  }

  private void cancelNow(Object context) {
    try {
      core.cancelSend(context);
    } catch (RuntimeException e) {
      life.defect(e);
    }
    sent.flush();
  }

  /** Thread: the loop. */
  public void begin(SendOperation operation) {
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

  /** As {@link EndpointCore#maxMessageBytes}. Thread: the loop. */
  public int maxMessageBytes(int peer) {
    return core.maxMessageBytes(peer);
  }

  /** As {@link EndpointCore#reaches}. Thread: the loop. */
  public boolean reaches(int peer) {
    return core.reaches(peer);
  }

  /** Sets up the flow to a peer when the handler that is at work has returned. Thread: the loop. */
  public void connect(int peer, FlowWaiters.Waiter waiter) {
    entry.step(connectStep, new Connecting(peer, waiter));
  }

  private void connectNow(Connecting wanted) {
    try {
      core.connect(wanted.peer, wanted.waiter);
    } catch (RuntimeException e) {
      life.defect(e);
    }
  }

  /** Shows each flow to a check. Thread: the loop. */
  public void inspectFlows(Consumer<Flow> check) {
    core.inspectFlows(check);
  }

  /** What flows have counted that {@link #inspectFlows} does not show any more. */
  public FlowCounters.Snapshot forgottenFlows() {
    return core.forgottenFlows();
  }

  /** End of a pass: sends what has gathered, publishes what has ended. Thread: the loop. */
  public int flush() {
    int work = 0;
    try {
      work = core.flush();
      sent.flush();
    } catch (RuntimeException e) {
      life.defect(e);
    }
    return work;
  }

  /** Ends a send that was accepted and will not begin. Thread: the loop. */
  public void fail(SendOperation operation, FabricError error, String detail) {
    sent.fail(operation, error, detail);
    sent.flush();
  }

  /** Fails a send that was told to an actor that may have stopped, unless it has begun with it. */
  public void refuse(SendOperation operation) {
    entry.run(
        () -> {
          if (operation.begin()) {
            core.refuse(operation);
            sent.flush();
          }
        });
  }
}
