package io.tagfabric.endpoint;

import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;

/**
 * What every call of an endpoint asks first: whether the endpoint is open, does what the call
 * wants, and has a slot for its completion. Thread: any.
 */
final class EndpointGate {
  private final EndpointIdentity identity;
  private final EndpointSettings settings;
  private final EndpointBindings bindings;
  private final CompletionQueue transmitQueue;
  private final CloseActions closing = new CloseActions();

  EndpointGate(EndpointIdentity identity, EndpointSettings settings, EndpointBindings bindings) {
    this.identity = identity;
    this.settings = settings;
    this.bindings = bindings;
    transmitQueue = bindings.transmitQueue();
  }

  EndpointSettings settings() {
    return settings;
  }

  EndpointBindings bindings() {
    return bindings;
  }

  /** What runs when the endpoint begins to close. */
  CloseActions closing() {
    return closing;
  }

  /** Returns true until the endpoint begins to close. */
  boolean isOpen() {
    return !closing.hasBegun();
  }

  /**
   * Requires an open endpoint, and a thread that may call it.
   *
   * @throws IllegalStateException if it has begun to close
   */
  void requireOpen() {
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
  void requireSends() {
    requireOpen();
    if (!bindings.does(EndpointBindings.Direction.SEND)) {
      throw new FabricException(FabricError.OPERATION_NOT_SUPPORTED, SendCompletions.SENDS_NOT);
    }
  }

  /** Reserves a slot of the transmit queue. Returns false if there is none. */
  boolean reserve() {
    return transmitQueue.ring().tryReserve();
  }

  /** Returns a slot that was reserved. */
  void release() {
    transmitQueue.ring().release();
  }

  /** Answers a call that had to start now, and returns its slot if it could not. */
  Posted postedNow(boolean started) {
    if (!started) {
      release();
    }
    return started ? Posted.POSTED : Posted.TRY_AGAIN;
  }
}
