package io.tagfabric.endpoint;

import io.tagfabric.complete.CompletionOutbox;
import io.tagfabric.error.FabricError;
import io.tagfabric.match.ReceiveContext;
import io.tagfabric.match.ReceivePort;
import io.tagfabric.progress.StepQueue;
import io.tagfabric.wire.TaggedArrivals;
import java.util.function.IntConsumer;

/** Reaches the receives of an endpoint by calls. Single threaded: the domain's loop. */
final class CalledReceives implements ReceivePort {
  private record LostPeer(int peer, FabricError error, String detail) {}

  private final ReceiveContext receives;
  private final CompletionOutbox completions;
  private final StepQueue steps;
  private final StepQueue.Handler<LostPeer> onPeerLost = this::onPeerLost;
  private final StepQueue.Handler<IntConsumer> onClose = this::onClose;

  CalledReceives(ReceiveContext receives, CompletionOutbox completions, StepQueue steps) {
    this.receives = receives;
    this.completions = completions;
    this.steps = steps;
  }

  @Override
  public TaggedArrivals arrivals() {
    return receives;
  }

  @Override
  public void peerLost(int peer, FabricError error, String detail) {
    steps.add(onPeerLost, new LostPeer(peer, error, detail));
  }

  private void onPeerLost(LostPeer lost) {
    receives.peerLost(lost.peer(), lost.error(), lost.detail());
    completions.flush();
  }

  @Override
  public void close(IntConsumer whenClosed) {
    steps.add(onClose, whenClosed);
  }

  private void onClose(IntConsumer whenClosed) {
    int cancelled = receives.close();
    completions.flush();
    whenClosed.accept(cancelled);
  }
}
