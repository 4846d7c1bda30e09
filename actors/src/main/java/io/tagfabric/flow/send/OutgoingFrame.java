package io.tagfabric.flow.send;

import io.tagfabric.error.FabricError;
import io.tagfabric.wire.Packet;

/**
 * A frame of a service on its way to a peer: it waits for credit of its class and for room in a
 * packet. Frames of one class leave in the order submitted. Called on the domain's loop; must not
 * block.
 */
public abstract class OutgoingFrame {
  /** Which credit of the peer a frame needs. */
  public enum Credit {
    /** Shared with tagged messages. */
    REQUEST,
    /** Apart, so that replies never wait for requests. */
    REPLY
  }

  private final Credit credit;
  private final int frameBytes;

  /**
   * A frame.
   *
   * @param frameBytes its bytes, header and payload included
   */
  protected OutgoingFrame(Credit credit, int frameBytes) {
    this.credit = credit;
    this.frameBytes = frameBytes;
  }

  final Credit credit() {
    return credit;
  }

  final int frameBytes() {
    return frameBytes;
  }

  /** Appends the frame, and nothing else, to a packet that has room for it. */
  protected abstract void write(Packet packet);

  /** The frame is in a packet. */
  protected void onLeft() {}

  /** The frame will never leave. */
  public abstract void onFailed(FabricError error, String detail);
}
