package io.tagfabric.provider;

import io.tagfabric.wire.FrameBatch;

/** The endpoint as a wire's poll sees it. Thread: the domain's loop. */
public interface WireListener {
  /** A packet has come; the listener releases it. */
  void onPacket(FrameBatch packet);

  /** A channel has closed; the listener asks each for its reason. */
  void onChannelClosed();
}
