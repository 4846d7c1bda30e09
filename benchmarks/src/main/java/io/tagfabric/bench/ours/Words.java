package io.tagfabric.bench.ours;

import io.tagfabric.complete.CompletionEntry;
import io.tagfabric.complete.CompletionHandler;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricException;
import io.tagfabric.link.Posted;
import io.tagfabric.tag.TagSelector;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Messages of one word under a tag: receives from any source that are posted again and again, each
 * with a place of its own. Thread: one.
 */
final class Words {
  /** Takes a word. */
  @FunctionalInterface
  interface Reader {
    /** A word of a peer. */
    void onWord(int peer, long word);
  }

  private static final int POLLS_PER_LOOK = 64;
  private static final int BATCH = 256;

  private final Endpoint endpoint;
  private final Arrivals arrivals;
  private final long receiveTag;
  private final long sendTag;
  private final Reader reader;
  private final UnsafeBuffer outgoing = new UnsafeBuffer(new byte[Long.BYTES]);
  private final CompletionHandler onReceived = this::onReceived;
  private final CompletionHandler onSent = Words::requireSuccess;
  private UnsafeBuffer[] free = new UnsafeBuffer[0];
  private int freeCount;

  Words(Endpoint endpoint, Arrivals arrivals, long receiveTag, long sendTag, Reader reader) {
    this.endpoint = endpoint;
    this.arrivals = arrivals;
    this.receiveTag = receiveTag;
    this.sendTag = sendTag;
    this.reader = reader;
  }

  private static void requireSuccess(CompletionEntry entry) {
    if (entry.kind() == CompletionEntry.Kind.FAILED) {
      throw new FabricException(entry.error(), entry.detail());
    }
  }

  /** From now on at least so many can come, also at once. */
  void makeRoom(int words) {
    int missing = words - free.length;
    if (missing > 0) {
      UnsafeBuffer[] grown = new UnsafeBuffer[words];
      System.arraycopy(free, 0, grown, 0, freeCount);
      free = grown;
      for (int i = 0; i < missing; i++) {
        free[freeCount++] = new UnsafeBuffer(new byte[Long.BYTES]);
      }
    }
    post();
  }

  private void post() {
    while (freeCount > 0) {
      UnsafeBuffer place = free[--freeCount];
      int polls = 0;
      while (endpoint.postReceive(
              place, 0, Long.BYTES, receiveTag, 0, TagSelector.ANY_SOURCE, place)
          == Posted.TRY_AGAIN) {
        drainSends(++polls);
      }
    }
  }

  private void onReceived(CompletionEntry entry) {
    requireSuccess(entry);
    UnsafeBuffer place = (UnsafeBuffer) entry.context();
    free[freeCount++] = place;
    reader.onWord(entry.peer(), place.getLong(0));
  }

  /** Hands what has come to the reader, at least one, and makes room anew. */
  void read() {
    arrivals.read(onReceived);
    post();
  }

  /** Sends a word to a peer. */
  void send(int peer, long word) {
    outgoing.putLong(0, word);
    int polls = 0;
    while (endpoint.injectTagged(peer, outgoing, 0, Long.BYTES, sendTag) == Posted.TRY_AGAIN) {
      drainSends(++polls);
    }
  }

  private void drainSends(int polls) {
    endpoint.transmitQueue().read(onSent, BATCH);
    if (polls % POLLS_PER_LOOK == 0) {
      Thread.yield();
    }
  }
}
