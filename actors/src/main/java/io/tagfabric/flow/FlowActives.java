package io.tagfabric.flow;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.error.FabricError;
import io.tagfabric.flow.send.ActiveQueue;
import io.tagfabric.flow.send.OutgoingActive;
import io.tagfabric.flow.window.PacketOutbox;

/** Active requests by one flow. Single threaded: the domain's loop. */
@InternalApi
public final class FlowActives {
  private final FlowGate gate;
  private final ActiveQueue queue;
  private final PacketOutbox outbox;

  FlowActives(FlowGate gate, ActiveQueue queue, PacketOutbox outbox) {
    this.gate = gate;
    this.queue = queue;
    this.outbox = outbox;
  }

  /** Accepts a request; it leaves when credit and window allow. */
  public void submit(OutgoingActive request) {
    if (!gate.takes()) {
      fail(request);
      return;
    }
    queue.submit(request);
    leave();
  }

  private void fail(OutgoingActive request) {
    request.onFailed(
        FabricError.CONNECTION_RESET, "peer [" + outbox.link().address() + "] is gone");
  }

  private void leave() {
    if (gate.leavesUnflushed()) {
      queue.pump();
    }
    gate.leaveOrGather();
  }

  /**
   * Accepts a request only if all of it is in a packet when this returns.
   *
   * @return false if nothing has happened
   */
  public boolean submitNow(OutgoingActive request) {
    if (!gate.mayLeaveNow()) {
      return false;
    }
    boolean submitted = queue.submitNow(request);
    if (submitted) {
      gate.leaveOrGather();
    } else if (outbox.hasRefused()) {
      gate.queueFlush();
    }
    return submitted;
  }

  /**
   * Takes a credit for a request that is yet to be written.
   *
   * @return false if there is none now
   */
  public boolean reserve() {
    return gate.mayLeaveNow() && queue.reserve();
  }

  /** The same, only if a packet has room for its frame too. */
  public boolean reserveNow(int frameBytes) {
    return gate.mayLeaveNow() && queue.hasRoomFor(frameBytes) && queue.reserve();
  }

  /** Gives back what {@link #reserve} has taken. */
  public void giveUp() {
    queue.giveUp();
  }

  /** Accepts a request that brings the credit which {@link #reserve} has taken. */
  public void submitReserved(OutgoingActive request) {
    if (!gate.takes()) {
      queue.giveUp();
      fail(request);
      return;
    }
    queue.submitReserved(request);
    leave();
  }
}
