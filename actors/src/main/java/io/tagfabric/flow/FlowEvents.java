package io.tagfabric.flow;

import io.tagfabric.error.FabricError;
import io.tagfabric.wire.FrameBatch;
import io.tagfabric.wire.FrameOrigin;
import io.tagfabric.wire.MessageView;
import org.agrona.DirectBuffer;

/** What a flow tells the endpoint that owns it. Called on the loop, must not block. */
public interface FlowEvents {
  /** A send has reached its completion level; told once. */
  void onSendCompleted(PendingSend send);

  /** A send will never reach its completion level; told once, instead of completed. */
  void onSendFailed(PendingSend send, FabricError error, String detail);

  /**
   * A packet with tagged messages came, in order; its origin is the flow. The callee holds a
   * reference of its own if it keeps the batch.
   */
  void onTaggedFrames(Flow flow, FrameBatch batch);

  /** A tagged message came by itself, in order; it is only there during the call. */
  void onInjected(FrameOrigin origin, MessageView message);

  /** Bytes of a cleared message came. */
  void onData(Flow flow, long receive, long position, DirectBuffer payload, int offset, int length);

  /** Bytes of a cleared message are in this side's memory. */
  void onPlaced(Flow flow, long receive, long position, int length);

  /** The peer is gone, or this side gave it up; told once, after all sends have failed. */
  void onLost(Flow flow, FabricError error, String detail);

  /**
   * The channel is closed, told once. What it delivered before may still be on its way here: the
   * owner loses the flow after having handed that over.
   */
  void onChannelClosed(Flow flow, String detail);

  /** The flow has something to flush at the end of the pass. */
  void onFlushNeeded(Flow flow);
}
