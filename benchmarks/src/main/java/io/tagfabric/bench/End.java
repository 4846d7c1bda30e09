package io.tagfabric.bench;

import io.tagfabric.complete.CompletionEntry;
import io.tagfabric.complete.CompletionHandler;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.endpoint.Posted;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import java.time.Duration;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One end of a measured pair: sends messages to one peer and counts those that come back. All
 * messages of one length share a buffer, for nobody looks into them here. Thread: one.
 */
final class End {
  /** Whether a wait polls without pause or gives the core away when nothing comes. */
  enum Waiting {
    POLLING,
    BLOCKING
  }

  private static final int BATCH = 256;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Endpoint endpoint;
  private final int peer;
  private final long tag;
  private final Waiting waiting;
  private final CompletionQueue arrivals;
  private final CompletionHandler onReceived = this::onReceived;
  private final CompletionHandler onSent = End::requireSuccess;
  private UnsafeBuffer outgoing = new UnsafeBuffer(new byte[0]);
  private UnsafeBuffer incoming = new UnsafeBuffer(new byte[0]);
  private int received;
  private int unreadSends;

  /**
   * @param tag of the messages both ends send
   */
  End(Endpoint endpoint, int peer, long tag, Waiting waiting) {
    this.endpoint = endpoint;
    this.peer = peer;
    this.tag = tag;
    this.waiting = waiting;
    arrivals = endpoint.receiveQueue();
  }

  /** Sets the lengths of what follows and counts anew. Nothing may be under way. */
  void begin(int sentBytes, int receivedBytes) {
    outgoing = new UnsafeBuffer(new byte[sentBytes]);
    incoming = new UnsafeBuffer(new byte[receivedBytes]);
    received = 0;
  }

  /** Messages received since {@link #begin}. */
  int received() {
    return received;
  }

  void postReceive() {
    while (endpoint.postReceive(incoming, 0, incoming.capacity(), tag, 0, peer, null)
        == Posted.TRY_AGAIN) {
      poll();
    }
  }

  void send() {
    int length = outgoing.capacity();
    if (length <= endpoint.settings().injectBytes()) {
      while (endpoint.injectTagged(peer, outgoing, 0, length, tag) == Posted.TRY_AGAIN) {
        drainSends();
      }
      return;
    }
    while (endpoint.sendTagged(peer, outgoing, 0, length, tag, null) == Posted.TRY_AGAIN) {
      drainSends();
    }
    if (++unreadSends >= BATCH) {
      drainSends();
    }
  }

  private void drainSends() {
    unreadSends = 0;
    while (endpoint.transmitQueue().read(onSent, BATCH) == BATCH) {
      // there may be more
    }
  }

  /** Counts what has arrived, without waiting. */
  void poll() {
    arrivals.read(onReceived, BATCH);
  }

  /** Waits until so many messages have been received since {@link #begin}. */
  void await(int messages) {
    while (received < messages) {
      if (waiting == Waiting.POLLING) {
        poll();
      } else if (arrivals.readBlocking(onReceived, BATCH, PATIENCE) == 0) {
        throw new FabricException(
            FabricError.TIMED_OUT,
            "received=" + received + " of " + messages + " messages, none for " + PATIENCE);
      }
    }
  }

  private void onReceived(CompletionEntry entry) {
    requireSuccess(entry);
    received++;
  }

  private static void requireSuccess(CompletionEntry entry) {
    if (entry.kind() == CompletionEntry.Kind.FAILED) {
      throw new FabricException(entry.error(), entry.detail());
    }
  }
}
