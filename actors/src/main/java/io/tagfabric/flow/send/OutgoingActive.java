package io.tagfabric.flow.send;

import io.tagfabric.error.FabricError;
import io.tagfabric.wire.Packet;

/**
 * An active request on its way to a peer: it waits for a credit of its own kind and for room in
 * packets. Its frames leave one after the other. Called on the domain's loop; must not block.
 */
public abstract class OutgoingActive {
  /** Bytes of the next frame before its payload. */
  protected abstract int overheadBytes();

  /** Payload bytes that are left to write. */
  protected abstract int leftBytes();

  /**
   * Appends the next frame to a packet that has room for it.
   *
   * @param bytes of payload, of those that are left
   */
  protected abstract void write(Packet packet, int bytes);

  /**
   * The packet in which its payload lies already, at the place where its only frame has it; null if
   * it lies elsewhere. {@link #write} may be given this packet, which is the flow's from then on,
   * or another.
   */
  protected Packet prepared() {
    return null;
  }

  /** Whether its credit comes back with a reply. */
  protected abstract boolean wantsReply();

  /** All of it is in packets. */
  protected abstract void onLeft();

  /** It will never leave, or not all of it has. */
  public abstract void onFailed(FabricError error, String detail);
}
