package io.tagfabric.endpoint;

import org.agrona.DirectBuffer;

/** How a thread that has the loop starts sends without telling the actor. */
interface SendEntry {
  /** Starts a send that has been accepted. */
  void send(SendOperation operation);

  /**
   * Hands a short message to the channel, or puts it into the packet that is open to the peer.
   *
   * @return false if that cannot be done now, and nothing has happened
   */
  boolean inject(int peer, DirectBuffer buffer, int offset, int length, long tag);

  /** Fails a send that was told to the endpoint, unless the endpoint has begun with it. */
  void refuse(SendOperation operation);

  /** Whether something waits for the end of a pass to leave. */
  boolean hasUnflushed();
}
