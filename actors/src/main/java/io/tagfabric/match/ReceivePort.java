package io.tagfabric.match;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.error.FabricError;
import io.tagfabric.wire.TaggedArrivals;
import java.util.function.IntConsumer;

/**
 * The way from an endpoint's core to its receives: by calls, or by the mailbox of their actor.
 * Steps arrive in the order handed over. Thread: the domain's loop.
 */
@InternalApi
public interface ReceivePort {
  /** Takes what comes for the receives. */
  TaggedArrivals arrivals();

  /** A peer is gone: receives that name it fail, what it had announced is forgotten. */
  void peerLost(int peer, FabricError error, String detail);

  /**
   * Cancels everything posted; nothing more is taken.
   *
   * @param whenClosed runs once, with the number of cancelled receives, after all that was handed
   *     over before
   */
  void close(IntConsumer whenClosed);
}
