package io.tagfabric.match;

import io.tagfabric.error.FabricError;
import io.tagfabric.wire.FrameOrigin;

/** Is told what becomes of announced messages at a receive context; the endpoint. */
public interface TransferListener {
  /** A receive has taken an announced message: its bytes are to be asked for. */
  void onMatched(InboundTransfer transfer);

  /**
   * The sender gives a message up that a receive has taken.
   *
   * @param message the sender's number of it
   */
  void onAborted(FrameOrigin origin, long message, FabricError error);

  /** The receive context has met a defect and takes no more. */
  default void onFailed(RuntimeException failure) {}
}
