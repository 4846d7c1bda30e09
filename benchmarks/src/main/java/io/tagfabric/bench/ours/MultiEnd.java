package io.tagfabric.bench.ours;

import io.tagfabric.complete.CompletionEntry;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.link.Posted;
import io.tagfabric.match.TaggedReceive;
import io.tagfabric.tag.TagSelector;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** An end whose messages come into a few buffers, many into each. */
final class MultiEnd extends FabricEnd {
  private static final int BUFFERS = 2;
  private static final int BUFFER_BYTES = 8 << 20;

  private final Endpoint endpoint;
  private final TagSelector selector;

  MultiEnd(Endpoint endpoint, int peer, Waiting waiting, Buffers buffers) {
    super(endpoint, peer, waiting, buffers);
    this.endpoint = endpoint;
    selector = TagSelector.exact(TAG).from(peer);
    for (int i = 0; i < BUFFERS; i++) {
      post(new UnsafeBuffer(new byte[BUFFER_BYTES]));
    }
  }

  private void post(MutableDirectBuffer buffer) {
    if (endpoint.post(TaggedReceive.of(selector).into(buffer, 0, buffer.capacity()).many(1), buffer)
        == Posted.TRY_AGAIN) {
      throw new IllegalStateException("no slots for a buffer of many messages");
    }
  }

  @Override
  public void postReceive() {
    // there is room
  }

  @Override
  void onReceived(CompletionEntry entry) {
    if (entry.kind() == CompletionEntry.Kind.RELEASED) {
      post((MutableDirectBuffer) entry.context());
    } else {
      super.onReceived(entry);
    }
  }
}
