package io.tagfabric.provider;

import io.tagfabric.wire.FrameBatch;

/**
 * Where a wire that is polled hands over what it has received, without a message: polls run on the
 * loop, as the endpoint does. Thread: inside a pass of the loop.
 */
public interface PacketSink {
  /**
   * Takes a received packet.
   *
   * @param packet its bytes are valid during the call only, unless it can be retained
   */
  void packet(FrameBatch packet);

  /** Channels of this wire have closed; nothing more comes from there. */
  void channelsClosed();
}
