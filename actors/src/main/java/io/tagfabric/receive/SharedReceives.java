package io.tagfabric.receive;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.error.FabricError;
import io.tagfabric.flow.window.UnexpectedBudget;
import io.tagfabric.link.EndpointCore;
import io.tagfabric.link.EndpointLife;
import io.tagfabric.match.ReceivePort;
import io.tagfabric.wire.TaggedArrivals;
import java.util.function.IntConsumer;

/**
 * The way from one endpoint to the receives that it shares with others: what ends here is the
 * endpoint's part in them. Single threaded: the domain's loop.
 */
@InternalApi
public final class SharedReceives implements ReceivePort {
  private final ReceiveContext context;
  private final ReceivePort receives;
  private final EndpointLife life;
  private EndpointCore core;
  private boolean closing;

  SharedReceives(ReceiveContext context, ReceivePort receives, EndpointLife life) {
    this.context = context;
    this.receives = receives;
    this.life = life;
  }

  /** The endpoint's core is there. */
  public void open(EndpointCore itsCore) {
    core = itsCore;
  }

  public UnexpectedBudget budget() {
    return context.side().budget();
  }

  /** Whether the endpoint has a flow with a peer, and goes on. */
  boolean reaches(int peer) {
    return core != null && !closing && core.reaches(peer);
  }

  /** The receives have failed. */
  void fail(RuntimeException defect, String because) {
    life.defect(new IllegalStateException(because, defect));
  }

  /** The endpoint has closed. */
  public void close() {
    closing = true;
    context.left(this);
  }

  @Override
  public TaggedArrivals arrivals() {
    return context.arrivals();
  }

  @Override
  public boolean isRead() {
    return receives.isRead();
  }

  @Override
  public void peerLost(int peer, FabricError error, String detail, boolean forGood) {
    if (closing) {
      receives.flowLost(peer, error, detail);
    } else {
      receives.peerLost(peer, error, detail, forGood);
    }
  }

  @Override
  public void flowLost(int peer, FabricError error, String detail) {
    receives.flowLost(peer, error, detail);
  }

  @Override
  public void close(IntConsumer whenClosed) {
    closing = true;
    receives.leave(() -> whenClosed.accept(0));
  }

  @Override
  public void leave(Runnable whenLeft) {
    receives.leave(whenLeft);
  }

  /** The receives go on. */
  @Override
  public void closedBecause(String detail) {}

  /** The receives go on. */
  @Override
  public void fail(RuntimeException defect) {}

  @Override
  public void flush() {
    receives.flush();
  }
}
