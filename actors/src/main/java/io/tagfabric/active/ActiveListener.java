package io.tagfabric.active;

import io.tagfabric.error.FabricException;

/** What hears how an active request ends: one call. Thread: the domain's loop; must not block. */
public interface ActiveListener {
  /** The handler has run. */
  void onReply(ActiveReply reply);

  /** It has failed. */
  void onFailed(FabricException reason);
}
