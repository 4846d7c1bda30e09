package io.tagfabric.flow;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.flow.send.MessageSender;
import io.tagfabric.provider.DirectRegion;

/**
 * Accesses to memory of the peer that this side does itself, without a request. Single threaded:
 * the domain's loop.
 */
@InternalApi
public final class FlowAccesses {
  private final FlowGate gate;
  private final MessageSender messages;

  FlowAccesses(FlowGate gate, MessageSender messages) {
    this.gate = gate;
    this.messages = messages;
  }

  /** Whether an access to the peer's memory was ever submitted. */
  public boolean isUsed() {
    return messages.accesses().isUsed();
  }

  /**
   * The region of the peer that an access to which would be done by this side, now; null if the
   * access is to be submitted.
   */
  public DirectRegion reach(long key, long generation) {
    if (!gate.isOpen() || gate.hasSaidGoodbye() || messages.hasWaiting()) {
      return null;
    }
    DirectRegion region = messages.accesses().region(key, generation);
    if (region != null) {
      messages.accesses().submitted();
    }
    return region;
  }

  /**
   * Whether the signal of a write that this side does in such a region could leave now; only
   * between {@link #reach} and {@link #signal}.
   */
  public boolean maySignal() {
    return !gate.ends() && messages.maySignal();
  }

  /**
   * Sends the signal of a write that is placed, if it {@link #maySignal}.
   *
   * @param flags of {@link io.tagfabric.wire.AccessWriter}: the signal, immediate data
   */
  public void signal(
      long regionKey, long generation, long offset, int bytes, long data, int flags) {
    messages.signal(regionKey, generation, offset, bytes, data, flags);
    gate.leaveOrGather();
  }
}
