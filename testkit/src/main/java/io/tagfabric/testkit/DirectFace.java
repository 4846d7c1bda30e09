package io.tagfabric.testkit;

import io.tagfabric.complete.Completion;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.link.Posted;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.tag.Payload;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;

/** Receives into a buffer, and reads the completion from the queue. */
final class DirectFace extends ProbeFace {
  /** Room for one message. */
  static final int BUFFER_BYTES = 1 << 20;

  private final Endpoint endpoint;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
  private final ArrayDeque<Completion> completions = new ArrayDeque<>();

  DirectFace(TestFabric fabric, Endpoint endpoint) {
    super(fabric);
    this.endpoint = endpoint;
  }

  @Override
  TaggedMessage receive(TagSelector selector, Duration timeout) {
    Object context = new Object();
    if (endpoint.postReceive(selector.source(), buffer, selector.tag(), selector.ignore(), context)
        == Posted.TRY_AGAIN) {
      throw new AssertionError(
          "the receive queue has no free slot: completions that the test has not read fill it");
    }
    boolean cancelled =
        !isMet(this::hasRead, timeout)
            && fabric().await(endpoint.futures().cancel(context)) instanceof TagMatcher.Cancelled;
    fabric().await(this::hasRead, "end of a receive of the probe");
    Completion completion = completions.remove();
    if (completion.context() != context) {
      throw new AssertionError(
          "the receive queue has the completion of another receive, "
              + completion
              + "; use a probe with Face.FUTURES beside receives of the test itself");
    }
    if (completion instanceof Completion.Failed failure) {
      if (cancelled) {
        return null;
      }
      throw exception(failure);
    }
    Completion.Received received = (Completion.Received) completion;
    byte[] bytes = new byte[(int) received.length()];
    buffer.get(0, bytes);
    return new TaggedMessage(
        received.source(),
        received.tag(),
        received.hasData(),
        received.data(),
        Payload.wrap(bytes));
  }

  private boolean hasRead() {
    if (completions.isEmpty()) {
      completions.addAll(endpoint.receiveQueue().read(1));
    }
    return !completions.isEmpty();
  }
}
