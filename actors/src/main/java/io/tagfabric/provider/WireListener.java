package io.tagfabric.provider;

import io.tagfabric.wire.FrameBatch;
import io.tagfabric.wire.MessageView;

/** The endpoint as a wire's poll sees it. Thread: the domain's loop. */
public interface WireListener {
  /** A packet has come; the listener releases it. */
  void onPacket(FrameBatch packet);

  /**
   * A short message has come by itself; it is only there during the call.
   *
   * @param flow this side's number of the flow
   */
  void onInjected(int flow, MessageView message);

  /** A channel has closed; the listener asks each for its reason. */
  void onChannelClosed();
}
