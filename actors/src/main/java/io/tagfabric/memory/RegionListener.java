package io.tagfabric.memory;

import io.tagfabric.complete.Completion;

/**
 * Hears of writes that raise the signals of a region. Called on the domain's loop; must not block.
 * What it throws is logged and lost, and disturbs nothing else.
 */
@FunctionalInterface
public interface RegionListener {
  /** All bytes of a peer's write are placed. */
  void onAccess(Completion.AccessedByPeer access);
}
