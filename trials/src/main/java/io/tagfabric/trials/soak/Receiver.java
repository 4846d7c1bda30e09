package io.tagfabric.trials.soak;

import io.tagfabric.complete.CompletionEntry;
import io.tagfabric.complete.CompletionHandler;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricException;
import io.tagfabric.link.Posted;
import io.tagfabric.tag.TagSelector;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Receives the messages of a stream and checks each. Most of the time a window of receives is
 * posted; now and then none, until a burst of unexpected messages waits. Thread: one.
 */
final class Receiver {
  private static final int WINDOW = 512;
  private static final int POOLED_BYTES = 512;
  private static final int BURST_EVERY = 25_000;
  private static final int BURST = 2_000;
  private static final int BATCH = 256;

  /** A receive, its buffer and the message it will get. */
  private static final class Slot {
    final UnsafeBuffer buffer;
    long number;

    Slot(int capacity) {
      buffer = new UnsafeBuffer(new byte[capacity]);
    }
  }

  private final Endpoint endpoint;
  private final int peer;
  private final MessageStream stream;
  private final Forecast forecast;
  private final UnexpectedWatch unexpected;
  private final SplittableRandom random;
  private final CompletionHandler onReceived = this::onReceived;
  private final ArrayDeque<Slot> pool = new ArrayDeque<>();
  private final BitSet seen = new BitSet();
  private Slot pending;
  private long posted;
  private long ended;
  private long nextBurst;
  private boolean holdingBack;
  private long received;
  private long duplicated;
  private long outOfOrder;
  private long corrupted;

  /**
   * @param holdAll whether no receive is posted before the sender can send no more
   */
  Receiver(Endpoint endpoint, int peer, MessageStream stream, long seed, boolean holdAll) {
    this.endpoint = endpoint;
    this.peer = peer;
    this.stream = stream;
    forecast = new Forecast(stream);
    random = new SplittableRandom(seed);
    unexpected = new UnexpectedWatch(endpoint, holdAll);
    nextBurst = holdAll ? 0 : BURST_EVERY;
  }

  /** Posts receives and reads completions; returns the work done. */
  int step() {
    int work = 0;
    if (mayPost()) {
      while (posted - ended < WINDOW && !forecast.isDone() && post()) {
        work++;
      }
    }
    return work + endpoint.receiveQueue().read(onReceived, BATCH);
  }

  /** The same after waiting for a completion. */
  int waitBriefly(Duration timeout) {
    return endpoint.receiveQueue().readBlocking(onReceived, BATCH, timeout);
  }

  private boolean mayPost() {
    if (!holdingBack && posted >= nextBurst && stream.count() > 0) {
      holdingBack = true;
      nextBurst += BURST_EVERY;
    }
    if (holdingBack && posted == ended) {
      holdingBack = !unexpected.hasReached(Math.min(BURST, stream.count() - posted));
    }
    return !holdingBack;
  }

  private boolean post() {
    // A refused post must be repeated as it was: the forecast has gone on.
    if (pending == null) {
      forecast.next(random.nextLong());
      int length = stream.length(forecast.number());
      Slot slot = length <= POOLED_BYTES ? pool.pollLast() : null;
      pending = slot == null ? new Slot(Math.max(length, POOLED_BYTES)) : slot;
      pending.number = forecast.number();
    }
    int source = (pending.number & 1) == 0 ? peer : TagSelector.ANY_SOURCE;
    Posted outcome =
        endpoint.postReceive(
            pending.buffer,
            0,
            pending.buffer.capacity(),
            forecast.tag(),
            forecast.ignore(),
            source,
            pending);
    if (outcome == Posted.TRY_AGAIN) {
      return false;
    }
    pending = null;
    posted++;
    return true;
  }

  private void onReceived(CompletionEntry entry) {
    if (entry.kind() == CompletionEntry.Kind.FAILED) {
      throw new FabricException(entry.error(), entry.detail());
    }
    ended++;
    Slot slot = (Slot) entry.context();
    int length = (int) entry.length();
    long number = slot.number;
    boolean asExpected =
        length == stream.length(number) && stream.matches(number, slot.buffer, length);
    if (!asExpected) {
      number = stream.recognize(slot.buffer, length);
    }
    if (number < 0 || entry.tag() != stream.tag(number) || entry.peer() != peer) {
      corrupted++;
    } else if (seen.get((int) number)) {
      duplicated++;
    } else {
      seen.set((int) number);
      received++;
      outOfOrder += asExpected ? 0 : 1;
    }
    if (slot.buffer.capacity() == POOLED_BYTES) {
      pool.addLast(slot);
    }
  }

  boolean isDone() {
    return ended == stream.count();
  }

  /** Receives that have ended. */
  long ended() {
    return ended;
  }

  /** Messages that are not as they should be. */
  long wrong() {
    return duplicated + outOfOrder + corrupted;
  }

  /**
   * What has come of it.
   *
   * @param left messages that wait and no receive is for
   */
  Tally tally(long sent, int left, long peakUnexpectedBytes, long packetsReplayed) {
    return new Tally(
        sent,
        received,
        stream.count() - received,
        duplicated + left,
        outOfOrder,
        corrupted,
        peakUnexpectedBytes,
        packetsReplayed,
        0);
  }
}
