package io.tagfabric.bench.progress;

import io.tagfabric.complete.CompletionEntry;
import io.tagfabric.complete.CompletionHandler;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.link.Posted;
import io.tagfabric.link.send.TaggedSend;
import java.time.Duration;
import org.agrona.concurrent.UnsafeBuffer;

/** An endpoint and one peer of it, as a program uses them that waits for each message. */
final class WaitingEnd {
  static final int SHORT_BYTES = 8;
  static final int LONG_BYTES = 1 << 20;
  private static final long SHORT_TAG = 1;
  private static final long LONG_TAG = 2;
  private static final byte LAST = 1;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Endpoint endpoint;
  private final int peer;
  private final UnsafeBuffer outgoing = new UnsafeBuffer(new byte[SHORT_BYTES]);
  private final UnsafeBuffer incoming = new UnsafeBuffer(new byte[SHORT_BYTES]);
  private final UnsafeBuffer longMessage = new UnsafeBuffer(new byte[LONG_BYTES]);
  private final CompletionHandler onCompletion = WaitingEnd::requireSuccess;

  WaitingEnd(Endpoint endpoint, int peer) {
    this.endpoint = endpoint;
    this.peer = peer;
  }

  private static void requireSuccess(CompletionEntry entry) {
    if (entry.kind() == CompletionEntry.Kind.FAILED) {
      throw new FabricException(entry.error(), entry.detail());
    }
  }

  /** One message there and back. */
  void ping() {
    post(incoming, SHORT_TAG);
    send(false);
    awaitReceived();
  }

  /** Answers each message until the last one has come. */
  void echo() {
    boolean last = false;
    while (!last) {
      post(incoming, SHORT_TAG);
      awaitReceived();
      last = incoming.getByte(0) == LAST;
      if (!last) {
        send(false);
      }
    }
  }

  /** Ends the peer's {@link #echo}. */
  void sendLast() {
    send(true);
  }

  private void send(boolean last) {
    outgoing.putByte(0, last ? LAST : 0);
    while (endpoint.injectTagged(peer, outgoing, 0, SHORT_BYTES, SHORT_TAG) == Posted.TRY_AGAIN) {
      Thread.yield();
    }
  }

  private void post(UnsafeBuffer into, long tag) {
    while (endpoint.postReceive(into, 0, into.capacity(), tag, 0, peer, null) != Posted.POSTED) {
      Thread.yield();
    }
  }

  void postLong() {
    post(longMessage, LONG_TAG);
  }

  /** Sends a long message and waits until it has been received. */
  void sendLong() {
    while (endpoint.post(
            TaggedSend.of(peer, longMessage, 0, LONG_BYTES, LONG_TAG)
                .level(CompletionLevel.DELIVERY),
            null)
        != Posted.POSTED) {
      Thread.yield();
    }
    if (endpoint.transmitQueue().readBlocking(onCompletion, 1, PATIENCE) == 0) {
      throw new FabricException(
          FabricError.TIMED_OUT, "a message was not received for " + PATIENCE);
    }
  }

  void awaitReceived() {
    if (endpoint.receiveQueue().readBlocking(onCompletion, 1, PATIENCE) == 0) {
      throw new FabricException(FabricError.TIMED_OUT, "no message came for " + PATIENCE);
    }
  }
}
