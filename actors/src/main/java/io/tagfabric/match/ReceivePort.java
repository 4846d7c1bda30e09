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

  /** Whether a reader takes all messages with a tag, so that none waits for a receive. */
  boolean isRead();

  /**
   * The flow with a peer has ended: receives that name it fail, what it had announced is forgotten.
   *
   * @param forGood whether receives that are posted later and name it fail too
   */
  void peerLost(int peer, FabricError error, String detail, boolean forGood);

  /**
   * One of the endpoints that share these receives has ended its flow with a peer, which others may
   * still reach: what came half way by that flow ends.
   */
  void flowLost(int peer, FabricError error, String detail);

  /**
   * One of the endpoints that share these receives closes, which go on.
   *
   * @param whenLeft runs once, after all that was handed over before
   */
  void leave(Runnable whenLeft);

  /** Says why receives are cancelled from now on. */
  void closedBecause(String detail);

  /** Ends everything at once after a defect. */
  void fail(RuntimeException defect);

  /** Publishes what has ended. */
  void flush();

  /**
   * Cancels everything posted; nothing more is taken.
   *
   * @param whenClosed runs once, with the number of cancelled receives, after all that was handed
   *     over before
   */
  void close(IntConsumer whenClosed);
}
