package io.tagfabric.endpoint;

import io.tagfabric.error.FabricError;
import io.tagfabric.flow.Flow;
import io.tagfabric.match.InboundTransfer;
import io.tagfabric.wire.FrameBatch;
import io.tagfabric.wire.FrameOrigin;
import io.tagfabric.wire.MessageView;

/** What an endpoint's core tells the actors around it. Called on the loop. */
interface EndpointOutput {
  void sent(SendOperation send);

  void sendFailed(SendOperation send, FabricError error, String detail);

  /** A packet with tagged messages for the matcher; the caller keeps its reference. */
  void arrived(FrameBatch batch);

  /** A tagged message by itself for the matcher; it is only there during the call. */
  void arrived(FrameOrigin origin, MessageView message);

  void transferEnded(InboundTransfer transfer, FabricError error, String detail);

  /** A channel is closed: lose the flow after everything that is in the inbox now. */
  void channelClosed(Flow flow, String detail);

  void peerLost(int peer, FabricError error, String detail);

  /** A defect was met by a timer. */
  default void failed(RuntimeException failure) {
    throw failure;
  }

  /** Something worth a line in the log. */
  void report(boolean warning, String text);
}
