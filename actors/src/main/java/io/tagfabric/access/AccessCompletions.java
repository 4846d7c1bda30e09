package io.tagfabric.access;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionOutbox;
import io.tagfabric.complete.Counter;
import io.tagfabric.complete.Direction;
import io.tagfabric.complete.ListenerFailures;
import io.tagfabric.error.FabricError;
import io.tagfabric.flow.send.PendingAccess;
import io.tagfabric.link.EndpointCore;
import io.tagfabric.link.send.SendCompletions;
import io.tagfabric.memory.MemorySettings;
import io.tagfabric.trace.AccessTrace;

/**
 * Ends accesses to peers' memory: tells the endpoint's transmit queue, or the access's listener.
 * Single threaded: the domain's loop.
 */
@InternalApi
public final class AccessCompletions implements EndpointCore.AccessEnds {
  private final SendCompletions sent;
  private final CompletionOutbox completions;
  private final Counter counter;
  private final int most;
  private final BounceBuffers bounces;
  private final ListenerFailures listenerFailures = new ListenerFailures();
  private final AccessTrace trace;
  private int told;

  /**
   * Ends of accesses.
   *
   * @param sent those of sends, whose queue they share
   * @param counter counts those of programs; null for none
   * @param settings of accesses
   * @param trace hears of them
   */
  public AccessCompletions(
      SendCompletions sent, Counter counter, MemorySettings settings, AccessTrace trace) {
    this.trace = trace;
    this.sent = sent;
    this.counter = counter;
    most = settings.outstanding();
    bounces = new BounceBuffers(settings.bounceLimitBytes());
    completions = sent.outbox();
  }

  /** Copies of what waits. */
  BounceBuffers bounces() {
    return bounces;
  }

  /** An access is accepted: it will be counted when it ends. Thread: any. */
  void accepted(MemoryOperation access) {
    if (counter != null && access.count()) {
      counter.begun();
    }
  }

  /** What traces hear of accesses. */
  AccessTrace trace() {
    return trace;
  }

  /** Whether an access may begin; if not, it has failed. */
  boolean mayBegin(MemoryOperation access) {
    if (!access.isLimited()) {
      return true;
    }
    if (told >= most) {
      told++; // as its end will take one off
      fail(
          access,
          FabricError.AGAIN,
          "outstanding="
              + most
              + " is the limit, wait for some or raise tagfabric.memory.outstanding");
      return false;
    }
    told++;
    return true;
  }

  @Override
  public void completed(PendingAccess access) {
    complete((MemoryOperation) access);
  }

  @Override
  public void failed(PendingAccess access, FabricError error, String detail) {
    fail((MemoryOperation) access, error, detail);
  }

  /** An access is done. */
  void complete(MemoryOperation access) {
    if (!access.end()) {
      return;
    }
    if (trace.isOn() && access.traced() > 0) {
      trace.completed(access.traced(), access.peer(), access.accessedBytes());
    }
    AccessListener listener = access.listener();
    if (listener != null) {
      forget(access);
      tellAccessed(listener, access);
    } else if (access.isSilent()) {
      sent.releaseSlot();
    } else {
      completions
          .next()
          .setAccessed(access.context(), access.peer(), access.direction(), access.accessedBytes());
    }
    if (access.isCounted()) {
      counter.ended(access.accessedBytes());
    }
  }

  /** An access is done that was never an operation; a slot of the queue is reserved for it. */
  void done(Object context, int peer, Direction direction, long bytes, boolean silent) {
    if (silent) {
      sent.releaseSlot();
    } else {
      completions.next().setAccessed(context, peer, direction, bytes);
    }
    if (counter != null) {
      counter.count(bytes);
    }
    sent.flush();
  }

  /** An access is done that an access region has asked for, and that was never an operation. */
  void doneImplicitly(long bytes) {
    if (counter != null) {
      counter.count(bytes);
    }
  }

  /** All accesses of an access region have ended. */
  void endRegion(MemoryOperation end) {
    if (end.failure() == null) {
      complete(end);
    } else {
      fail(end, end.failure(), end.failureDetail());
    }
  }

  /** An access will never be done. */
  void fail(MemoryOperation access, FabricError error, String detail) {
    if (!access.end()) {
      return;
    }
    if (trace.isOn() && access.traced() > 0) {
      trace.failed(access.traced(), access.peer(), error.code());
    }
    sent.countFailure();
    AccessListener listener = access.listener();
    if (listener != null) {
      forget(access);
      tellFailed(listener, access, error, detail);
    } else {
      completions
          .next()
          .setFailed(access.context(), error, access.peer(), 0, 0, 0, access.direction(), detail);
    }
    if (access.isCounted()) {
      counter.failed();
    }
  }

  private void forget(MemoryOperation access) {
    if (access.isLimited() && access.hasBegun()) {
      told--;
    }
  }

  private void tellAccessed(AccessListener listener, MemoryOperation access) {
    try {
      listener.onAccessed(
          new Completion.Accessed(
              access.context(), access.peer(), access.direction(), access.accessedBytes()));
    } catch (Throwable e) {
      listenerFailures.caught(listener, e);
    }
  }

  private void tellFailed(
      AccessListener listener, MemoryOperation access, FabricError error, String detail) {
    try {
      listener.onFailed(
          new Completion.Failed(
              access.context(),
              error,
              access.peer(),
              false,
              0,
              0,
              0,
              0,
              false,
              0,
              access.direction(),
              false,
              detail));
    } catch (Throwable e) {
      listenerFailures.caught(listener, e);
    }
  }

  /** Publishes what has ended. */
  void flush() {
    sent.flush();
  }
}
