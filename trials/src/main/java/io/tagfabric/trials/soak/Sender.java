package io.tagfabric.trials.soak;

import io.tagfabric.complete.CompletionEntry;
import io.tagfabric.complete.CompletionHandler;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricException;
import io.tagfabric.link.Posted;
import io.tagfabric.link.send.TaggedSend;
import java.util.ArrayDeque;
import org.agrona.concurrent.UnsafeBuffer;

/** Sends the messages of a stream in order, at all completion levels. Thread: one. */
final class Sender implements CompletionHandler {
  private static final int POOLED_BYTES = 512;
  private static final int BATCH = 64;

  private final Endpoint endpoint;
  private final int peer;
  private final MessageStream stream;
  private final ArrayDeque<UnsafeBuffer> pool = new ArrayDeque<>();
  private long posted;
  private long completed;

  Sender(Endpoint endpoint, int peer, MessageStream stream) {
    this.endpoint = endpoint;
    this.peer = peer;
    this.stream = stream;
  }

  /** Posts a few sends and reads completions; returns the work done. */
  int step() {
    int work = 0;
    while (work < BATCH && posted < stream.count() && post(posted)) {
      posted++;
      work++;
    }
    return work + endpoint.transmitQueue().read(this, Integer.MAX_VALUE);
  }

  private boolean post(long number) {
    int length = stream.length(number);
    long tag = stream.tag(number);
    UnsafeBuffer buffer = length <= POOLED_BYTES ? pool.pollLast() : null;
    if (buffer == null) {
      buffer = new UnsafeBuffer(new byte[Math.max(length, POOLED_BYTES)]);
    }
    stream.fill(number, buffer, length);
    int dice = (int) (stream.draw(number) >>> 56) & 63;
    boolean inject = length <= endpoint.settings().injectBytes() && dice < 16;
    Posted outcome =
        inject
            ? endpoint.injectTagged(peer, buffer, 0, length, tag)
            : endpoint.post(TaggedSend.of(peer, buffer, 0, length, tag).level(level(dice)), buffer);
    boolean accepted = outcome == Posted.POSTED;
    if (inject || !accepted) {
      giveBack(buffer);
    }
    completed += inject && accepted ? 1 : 0;
    return accepted;
  }

  private static CompletionLevel level(int dice) {
    return switch (dice) {
      case 63 -> CompletionLevel.MATCH;
      case 62, 61 -> CompletionLevel.DELIVERY;
      case 60, 59 -> CompletionLevel.TRANSMIT;
      default -> CompletionLevel.INJECT;
    };
  }

  /** One of its sends has ended. */
  @Override
  public void onCompletion(CompletionEntry entry) {
    if (entry.kind() == CompletionEntry.Kind.FAILED) {
      throw new FabricException(entry.error(), entry.detail());
    }
    completed++;
    giveBack((UnsafeBuffer) entry.context());
  }

  private void giveBack(UnsafeBuffer buffer) {
    if (buffer.capacity() == POOLED_BYTES) {
      pool.addLast(buffer);
    }
  }

  /** Sends that have completed. */
  long completed() {
    return completed;
  }

  boolean isDone() {
    return completed == stream.count();
  }
}
