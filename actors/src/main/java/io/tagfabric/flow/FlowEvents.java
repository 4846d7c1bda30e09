package io.tagfabric.flow;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.error.FabricError;
import io.tagfabric.flow.send.SendEvents;

/** What a flow tells the endpoint that owns it. Called on the loop, must not block. */
@InternalApi
public interface FlowEvents extends SendEvents {
  /** The peer is gone, or this side gave it up; told once, after all sends have failed. */
  void onLost(Flow flow, FabricError error, String detail);

  /**
   * The channel is closed, told once. What it delivered before may still be on its way here: the
   * owner loses the flow after having handed that over.
   */
  void onChannelClosed(Flow flow, String detail);

  /**
   * A flow that was lost could not tell its peer why: the channel had no room, or the peer's number
   * of the flow is not known. The owner sees to it.
   */
  void onGoodbyeUnsaid(Flow flow, FabricError error);

  /** The flow has something to flush at the end of the pass. */
  void onFlushNeeded(Flow flow);
}
