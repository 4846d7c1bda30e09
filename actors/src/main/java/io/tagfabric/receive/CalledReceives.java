package io.tagfabric.receive;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.complete.CompletionOutbox;
import io.tagfabric.error.FabricError;
import io.tagfabric.match.ReceivePort;
import io.tagfabric.match.core.ReceiveCore;
import io.tagfabric.progress.StepQueue;
import io.tagfabric.wire.TaggedArrivals;
import java.util.function.IntConsumer;

/** Reaches the receives of an endpoint by calls. Single threaded: the domain's loop. */
@InternalApi
public final class CalledReceives implements ReceivePort {
  private enum Extent {
    FLOW,
    PRESENT,
    FOR_GOOD
  }

  private record LostPeer(int peer, FabricError error, String detail, Extent extent) {}

  private final ReceiveCore receives;
  private final CompletionOutbox completions;
  private final StepQueue steps;
  private final StepQueue.Handler<LostPeer> onPeerLost = this::onPeerLost;
  private final StepQueue.Handler<IntConsumer> onClose = this::onClose;

  public CalledReceives(ReceiveCore receives, CompletionOutbox completions, StepQueue steps) {
    this.receives = receives;
    this.completions = completions;
    this.steps = steps;
  }

  @Override
  public TaggedArrivals arrivals() {
    return receives;
  }

  @Override
  public boolean isRead() {
    return receives.isRead();
  }

  @Override
  public void peerLost(int peer, FabricError error, String detail, boolean forGood) {
    steps.add(
        onPeerLost, new LostPeer(peer, error, detail, forGood ? Extent.FOR_GOOD : Extent.PRESENT));
  }

  @Override
  public void flowLost(int peer, FabricError error, String detail) {
    steps.add(onPeerLost, new LostPeer(peer, error, detail, Extent.FLOW));
  }

  private void onPeerLost(LostPeer lost) {
    if (lost.extent() == Extent.FLOW) {
      receives.flowLost(lost.peer(), lost.error(), lost.detail());
    } else {
      boolean forGood = lost.extent() == Extent.FOR_GOOD;
      receives.peerLost(lost.peer(), lost.error(), lost.detail(), forGood);
    }
    completions.flush();
  }

  @Override
  public void leave(Runnable whenLeft) {
    steps.add(Runnable::run, whenLeft);
  }

  @Override
  public void closedBecause(String detail) {
    receives.closedBecause(detail);
  }

  @Override
  public void fail(RuntimeException defect) {
    receives.fail(defect, null);
    completions.flush();
  }

  @Override
  public void flush() {
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
