package io.tagfabric.link;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.link.send.SendCompletions;

/**
 * What every call of an endpoint asks first: whether the endpoint is open, does what the call
 * wants, and has a slot for its completion. Thread: any.
 */
@InternalApi
public final class EndpointGate {
  private final EndpointIdentity identity;
  private final EndpointSettings settings;
  private final boolean sends;
  private final CompletionQueue transmitQueue;
  private final CloseActions closing = new CloseActions();

  /**
   * A gate that is open.
   *
   * @param transmitQueue where what it lets in ends
   * @param sends whether the endpoint sends
   */
  public EndpointGate(
      EndpointIdentity identity,
      EndpointSettings settings,
      CompletionQueue transmitQueue,
      boolean sends) {
    this.identity = identity;
    this.settings = settings;
    this.transmitQueue = transmitQueue;
    this.sends = sends;
  }

  public EndpointSettings settings() {
    return settings;
  }

  /** What runs when the endpoint begins to close. */
  public CloseActions closing() {
    return closing;
  }

  /** Returns true until the endpoint begins to close. */
  public boolean isOpen() {
    return !closing.hasBegun();
  }

  /**
   * Requires an open endpoint, and a thread that may call it.
   *
   * @throws IllegalStateException if it has begun to close
   */
  public void requireOpen() {
    if (closing.hasBegun()) {
      throw new IllegalStateException(
          "endpoint [" + identity.address() + "] is closed, open another");
    }
    transmitQueue.loop().requireCaller();
  }

  /**
   * Requires an open endpoint that sends.
   *
   * @throws FabricException OPERATION_NOT_SUPPORTED if it was opened to receive only
   */
  public void requireSends() {
    requireOpen();
    if (!sends) {
      throw new FabricException(FabricError.OPERATION_NOT_SUPPORTED, SendCompletions.SENDS_NOT);
    }
  }

  /** Reserves a slot of the transmit queue. Returns false if there is none. */
  public boolean reserve() {
    return transmitQueue.ring().tryReserve();
  }

  /** Returns a slot that was reserved. */
  public void release() {
    transmitQueue.ring().release();
  }

  /** Answers a call that had to start now, and returns its slot if it could not. */
  public Posted postedNow(boolean started) {
    if (!started) {
      release();
    }
    return started ? Posted.POSTED : Posted.TRY_AGAIN;
  }
}
