package io.tagfabric.flow.send;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.error.FabricError;

/** How sends end. Called on the loop, must not block. */
@InternalApi
public interface SendEvents {
  /** A send has reached its completion level; told once. */
  void onSendCompleted(PendingSend send);

  /** A send will never reach its completion level; told once, instead of completed. */
  void onSendFailed(PendingSend send, FabricError error, String detail);
}
