package io.tagfabric.match.core;

import io.tagfabric.error.FabricError;
import io.tagfabric.match.Claim;
import io.tagfabric.wire.FrameOrigin;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The messages of one receive context that programs have claimed, in the order claimed. Single
 * threaded: the domain's loop.
 */
final class ClaimedMessages implements Claim.Holder {
  /** A message is equal to itself only. */
  private final Set<UnexpectedMessage> held = new LinkedHashSet<>();

  /** Read by other loops too, when a claim is used at another endpoint. */
  private volatile boolean closed;

  int count() {
    return held.size();
  }

  List<UnexpectedMessage> all() {
    return List.copyOf(held);
  }

  void hold(Claim claim, UnexpectedMessage message) {
    claim.hold(message, message.info(), this);
    held.add(message);
  }

  /** Takes the message out of a claim; null if it holds none of this context. */
  UnexpectedMessage take(Claim claim) {
    if (claim.holder() != this) {
      return null;
    }
    UnexpectedMessage message = (UnexpectedMessage) claim.message();
    claim.release();
    return held.remove(message) ? message : null;
  }

  /** The announced message of a sender with this number, null if none is held. */
  UnexpectedMessage findAnnounced(FrameOrigin origin, long number) {
    for (UnexpectedMessage each : held) {
      if (each.origin == origin && each.isAnnounced() && each.envelope.message == number) {
        return each;
      }
    }
    return null;
  }

  /** The announced messages of a peer will not come any more. */
  void losePeer(int peer, FabricError error, String detail) {
    for (UnexpectedMessage each : held) {
      if (each.isAnnounced()
          && each.lostBy() == null
          && each.origin.peer() == peer
          && each.origin.isLost()) {
        each.lose(error, detail);
      }
    }
  }

  /** The endpoint closes: nobody gets what is held any more. */
  void close() {
    closed = true;
  }

  /** Once closed, claims that are held here can be used at another endpoint. */
  @Override
  public boolean isClosed() {
    return closed;
  }
}
