package io.tagfabric.match;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.complete.Completion;

/**
 * Hears of one receive into a buffer, in place of the queue. Called on the domain's loop; must not
 * block. What it throws is logged and lost.
 */
@InternalApi
public interface PlacedListener {
  /** A message came, or failed as TRUNCATED does: {@link Completion.Received} or Failed. */
  void onMessage(Completion message);

  /** The receive was cancelled, or its endpoint or peer is gone; once at most. */
  void onFailed(Completion.Failed failure);

  /**
   * The buffer is the program's again; once, and nothing follows. Only of a receive that takes many
   * messages.
   */
  void onReleased(Completion.Released released);
}
