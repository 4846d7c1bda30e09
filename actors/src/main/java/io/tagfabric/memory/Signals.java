package io.tagfabric.memory;

import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionEntry;
import io.tagfabric.complete.CompletionOutbox;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.complete.Counter;
import io.tagfabric.complete.Direction;
import io.tagfabric.complete.ListenerFailures;
import io.tagfabric.wire.FrameOrigin;
import java.util.ArrayDeque;
import java.util.function.LongConsumer;

/**
 * Raises the signals of writes whose bytes are placed: counter, queue, listener. Where a queue has
 * no slot, the signal waits, and those behind it do. It holds the credit of its write meanwhile.
 */
final class Signals {
  /** When it looks for a slot again; longer each time, as the program may not read for long. */
  private static final long LEAST_RETRY_NS = 1_000_000L;

  private static final long MOST_RETRY_NS = 250_000_000L;

  /** One that waits for a slot. */
  private record Waiting(
      FrameOrigin origin,
      Region region,
      CompletionQueue queue,
      CompletionOutbox outbox,
      long offset,
      long length,
      boolean hasData,
      long data) {}

  private final CompletionQueue receiveQueue;
  private final CompletionOutbox receiveOutbox;
  private final LongConsumer retry;
  private final ListenerFailures failures = new ListenerFailures();
  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
  private boolean retries;
  private long distanceNs = LEAST_RETRY_NS;

  /**
   * Signals.
   *
   * @param receiveQueue of the endpoint
   * @param retry sees to it that {@link #goOn} is called so many nanoseconds later
   */
  Signals(CompletionQueue receiveQueue, LongConsumer retry) {
    this.receiveQueue = receiveQueue;
    this.receiveOutbox = receiveQueue.outbox();
    this.retry = retry;
  }

  /** Raises those of a write; false if they wait and give its credit back later. */
  boolean raise(
      FrameOrigin origin, Region region, long offset, long length, boolean hasData, long data) {
    region.signals++;
    Counter counter = region.options().counter();
    if (counter != null) {
      counter.count(length);
    }
    CompletionQueue queue = region.queue();
    CompletionOutbox outbox = region.outbox();
    if (queue == null && hasData) {
      queue = receiveQueue;
      outbox = receiveOutbox;
    }
    if (queue != null) {
      if (!waiting.isEmpty() || !queue.ring().tryReserve()) {
        waiting.addLast(new Waiting(origin, region, queue, outbox, offset, length, hasData, data));
        retryLater();
        return false;
      }
      publish(outbox, region, origin.peer(), offset, length, hasData, data);
    }
    tell(region, origin.peer(), offset, length, hasData, data);
    return true;
  }

  private static void publish(
      CompletionOutbox outbox,
      Region region,
      int peer,
      long offset,
      long length,
      boolean hasData,
      long data) {
    CompletionEntry entry =
        outbox
            .next()
            .setAccessedByPeer(
                region.options().context(), peer, Direction.REMOTE_WRITE, offset, length);
    if (hasData) {
      entry.setData(data);
    }
    outbox.flush();
  }

  private void tell(Region region, int peer, long offset, long length, boolean hasData, long data) {
    RegionListener listener = region.options().listener();
    RegionWatchers watchers = region.watchers();
    if (listener == null && watchers == null) {
      return;
    }
    Completion.AccessedByPeer access =
        new Completion.AccessedByPeer(
            region.options().context(),
            peer,
            Direction.REMOTE_WRITE,
            offset,
            length,
            hasData,
            data);
    if (watchers != null) {
      watchers.tell(access);
    }
    if (listener == null) {
      return;
    }
    try {
      listener.onAccess(access);
    } catch (Throwable e) {
      failures.caught(listener, e);
    }
  }

  private void retryLater() {
    if (!retries) {
      retries = true;
      retry.accept(distanceNs);
    }
  }

  /** Goes on with those that wait, as far as there are slots. */
  void goOn() {
    retries = false;
    distanceNs = Math.min(2 * distanceNs, MOST_RETRY_NS);
    Waiting next;
    while ((next = waiting.peekFirst()) != null && next.queue.ring().tryReserve()) {
      waiting.pollFirst();
      distanceNs = LEAST_RETRY_NS;
      int peer = next.origin.peer();
      publish(next.outbox, next.region, peer, next.offset, next.length, next.hasData, next.data);
      tell(next.region, peer, next.offset, next.length, next.hasData, next.data);
      next.origin.consumed();
    }
    if (next != null) {
      retryLater();
    }
  }

  /** The endpoint has closed: nobody is told any more. */
  void end() {
    waiting.clear();
  }
}
