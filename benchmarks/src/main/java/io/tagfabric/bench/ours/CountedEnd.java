package io.tagfabric.bench.ours;

import io.tagfabric.complete.Counter;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;

/**
 * An end whose operations leave no entries: a counter counts what has come. Its endpoint was opened
 * so.
 */
final class CountedEnd extends FabricEnd {
  private final Counter counter;
  private long before;

  CountedEnd(Endpoint endpoint, int peer, Waiting waiting, Buffers buffers) {
    super(endpoint, peer, waiting, buffers);
    counter = endpoint.bindings().receiveCounter();
  }

  @Override
  public void begin(int sentBytes, int receivedBytes) {
    super.begin(sentBytes, receivedBytes);
    before = counter.value();
  }

  @Override
  public void poll() {
    received((int) (counter.value() - before));
  }

  @Override
  void waitFor(int messages) {
    if (!counter.await(before + messages, PATIENCE)) {
      throw new FabricException(
          FabricError.TIMED_OUT, "received=" + received() + " of " + messages + " messages");
    }
    poll();
  }
}
