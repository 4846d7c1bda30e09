package io.tagfabric.receive;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.complete.CompletionOutbox;
import io.tagfabric.complete.CompletionRing;
import io.tagfabric.error.FabricError;
import io.tagfabric.link.LoopEntry;
import io.tagfabric.match.MessageReader;
import io.tagfabric.match.PostedProbe;
import io.tagfabric.match.PostedReceive;
import io.tagfabric.match.Probe;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.match.core.ReceiveCore;
import io.tagfabric.progress.StepQueue;
import java.util.function.Consumer;
import org.agrona.MutableDirectBuffer;

/** The loop's own call into receives. */
@InternalApi
public final class DirectReceives {
  private final LoopEntry entry;
  private final ReceiveCore receives;
  private final CompletionOutbox received;
  private final Consumer<RuntimeException> defects;
  private final StepQueue.Handler<PostedReceive> postStep = this::begin;
  private final StepQueue.Handler<PostedProbe> probeStep = this::begin;
  private final StepQueue.Handler<Object> cancelStep = this::cancelNow;

  /**
   * The way into receives.
   *
   * @param defects takes what a call meets that it should not
   */
  DirectReceives(
      LoopEntry entry,
      ReceiveCore receives,
      CompletionOutbox received,
      Consumer<RuntimeException> defects) {
    this.entry = entry;
    this.receives = receives;
    this.received = received;
    this.defects = defects;
  }

  /** Posts a receive that has been accepted; false if it must be told. Thread: any. */
  boolean post(PostedReceive receive) {
    if (!entry.tryEnter()) {
      return entry.joins(postStep, receive);
    }
    boolean met = true;
    try {
      met = begin(receive);
    } finally {
      entry.leave(met);
    }
    return true;
  }

  /**
   * Posts a receive of one message into a buffer, where a slot is reserved, without an object of
   * its own.
   *
   * @param silent whether a success leaves no entry
   * @return false if that cannot be done now, and nothing has happened
   */
  boolean post(
      CompletionRing ring,
      MutableDirectBuffer buffer,
      int offset,
      int capacity,
      long tag,
      long ignore,
      int source,
      boolean silent,
      Object context) {
    if (!entry.tryEnter()) {
      return false;
    }
    boolean met = true;
    received.flushFollows();
    try {
      try {
        met = receives.post(ring, buffer, offset, capacity, tag, ignore, source, silent, context);
      } catch (RuntimeException e) {
        defects.accept(e); // the receive has failed
      } finally {
        received.flush();
      }
    } finally {
      entry.leave(met);
    }
    return true;
  }

  /**
   * Probes at once for the receive queue, where a slot is reserved.
   *
   * @return false if that cannot be done now, and nothing has happened
   */
  boolean probe(Probe probe, Object context) {
    if (!entry.tryEnter()) {
      return false;
    }
    boolean freed = true;
    try {
      freed = receives.probe(probe, context, null);
    } catch (RuntimeException e) {
      fail(e, null);
      receives.refuseProbe(probe, context, null);
    } finally {
      received.flush();
      entry.leave(freed);
    }
    return true;
  }

  /** Starts a probe that has been accepted; false if it must be told. Thread: any. */
  boolean post(PostedProbe probe) {
    if (!entry.tryEnter()) {
      return entry.joins(probeStep, probe);
    }
    boolean freed = true;
    try {
      freed = begin(probe);
    } finally {
      entry.leave(freed);
    }
    return true;
  }

  /** A program's receive is accepted. Thread: any. */
  public void accepted(PostedReceive receive) {
    receives.accepted(receive);
  }

  /** Cancels a receive that has not matched; false if that must be told. Thread: the loop. */
  public boolean cancel(Object context) {
    return entry.joins(cancelStep, context);
  }

  private void cancelNow(Object context) {
    try {
      receives.cancel(context);
    } catch (RuntimeException e) {
      defects.accept(e);
    }
    received.flush();
  }

  /**
   * Thread: the loop.
   *
   * @return whether the receive has met a message, so that there is something to flush
   */
  private boolean begin(PostedReceive receive) {
    boolean met = true;
    received.flushFollows();
    try {
      met = receives.post(receive);
    } catch (RuntimeException e) {
      fail(e, receive);
    } finally {
      received.flush();
    }
    return met;
  }

  /**
   * Thread: the loop.
   *
   * @return whether there is something to flush
   */
  private boolean begin(PostedProbe probe) {
    boolean freed = true;
    try {
      freed = receives.probe(probe);
    } catch (RuntimeException e) {
      fail(e, null);
      receives.refuse(probe);
    }
    received.flush();
    return freed;
  }

  private void fail(RuntimeException defect, PostedReceive receive) {
    receives.fail(defect, receive);
    defects.accept(defect);
  }

  /** What waits here now. Thread: the loop. */
  TagMatcher.State state() {
    return receives.state();
  }

  /** As {@link ReceiveCore#takeOnly}. Thread: any; before a receive is posted. */
  public void takeOnly(long mask, long tag) {
    entry.run(() -> receives.takeOnly(mask, tag));
  }

  /** As {@link ReceiveCore#read}. Thread: any but the loop; before a message comes. */
  public void read(MessageReader reader) {
    entry.run(() -> receives.read(reader));
  }

  /** End of a pass: reads what lies in shared memory, publishes what has ended. On the loop. */
  public int flush() {
    int work = 0;
    try {
      work = receives.pull();
      received.flush();
    } catch (RuntimeException e) {
      defects.accept(e);
    }
    return work;
  }

  /** End of a pass that has left nothing to read: publishes what has ended. On the loop. */
  int publish() {
    try {
      received.flush();
    } catch (RuntimeException e) {
      defects.accept(e);
    }
    return 0;
  }

  /** Goes on with messages that waited for a slot in the receive queue. Thread: the loop. */
  void resume() {
    try {
      receives.resume();
    } catch (RuntimeException e) {
      defects.accept(e);
    }
    received.flush();
  }

  /** Ends a receive that was accepted and will not begin. Thread: the loop. */
  public void fail(PostedReceive receive, FabricError error, String detail) {
    receives.end(receive, error, detail);
    received.flush();
  }

  /** Fails a receive that was told to an actor that may have stopped, unless it has begun. */
  void refuse(PostedReceive receive) {
    entry.run(
        () -> {
          receives.refuse(receive);
          received.flush();
        });
  }

  /** As {@link #refuse(PostedReceive)} for a probe. */
  void refuse(PostedProbe probe) {
    entry.run(
        () -> {
          receives.refuse(probe);
          received.flush();
        });
  }
}
