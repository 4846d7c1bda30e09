package io.tagfabric.provider;

import io.tagfabric.wire.MessageView;
import io.tagfabric.wire.Packet;

/**
 * The endpoint as its wires see it: all that comes enters by these calls, whichever provider brings
 * it. None throws. Thread: the domain's loop.
 */
public interface WireListener {
  /** A packet has come; the listener releases it. */
  void onPacket(Packet packet);

  /**
   * A short message has come by itself; it is only there during the call.
   *
   * @param flow key of the flow at this side, see {@link io.tagfabric.wire.FlowKey}
   */
  void onInjected(long flow, MessageView message);

  /**
   * Frames have come without a packet's header.
   *
   * @param flow key of the flow at this side, see {@link io.tagfabric.wire.FlowKey}
   * @param frames the bytes of the frames and nothing before; the listener releases it
   */
  void onFrames(long flow, Packet frames);

  /** A channel has closed; the listener asks each for its reason. */
  void onChannelClosed();
}
