package io.tagfabric.match.core;

import io.tagfabric.complete.Completion;
import io.tagfabric.error.FabricError;
import io.tagfabric.match.Claim;
import io.tagfabric.match.PostedReceive;
import io.tagfabric.match.Probe;
import io.tagfabric.match.ProbeKind;
import io.tagfabric.match.ProbeListener;
import io.tagfabric.match.table.MatchTable;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.wire.FrameOrigin;
import java.util.List;

/** Looks among the messages that wait, and holds those that were claimed. Single threaded. */
final class Probes {
  private static final String HOLDS_NONE =
      "the claim holds no message of this endpoint, claim one first";
  private static final String HOLDS_ONE =
      "the claim holds a message already, receive or discard it first";

  private final MatchTables tables;
  private final Deliveries deliveries;
  private final ReceiveCompletions outcomes;
  private final LostPeers lostPeers;
  private final ClaimedMessages claims = new ClaimedMessages();

  Probes(
      MatchTables tables, Deliveries deliveries, ReceiveCompletions outcomes, LostPeers lostPeers) {
    this.tables = tables;
    this.deliveries = deliveries;
    this.outcomes = outcomes;
    this.lostPeers = lostPeers;
  }

  /**
   * Does what a probe asks for. A miss that goes to the queue allocates nothing.
   *
   * @param listener is told instead of the queue; may be null
   * @return whether credit has come free, so that there is something to flush
   */
  boolean probe(Probe probe, Object context, ProbeListener listener) {
    ProbeKind kind = probe.kind();
    Claim claim = probe.claim();
    if (kind == ProbeKind.CLAIM && claim.message() != null && !claim.holder().isClosed()) {
      outcomes.failProbe(FabricError.INVALID, probe, context, listener, HOLDS_ONE);
      return false;
    }
    TagSelector selector = probe.selector();
    MatchTable<PostedReceive, UnexpectedMessage> itsTable = tables.of(probe.isUntagged());
    UnexpectedMessage message = itsTable.peek(selector.tag(), selector.ignore(), selector.source());
    if (message == null) {
      Completion.Failed lost = lostPeers.why(selector.source());
      FabricError error = lost == null ? FabricError.NO_MESSAGE : lost.error();
      outcomes.failProbe(
          error, probe, context, listener, lost == null ? "none waits" : lost.detail());
      return false;
    }
    if (kind != ProbeKind.PEEK) {
      itsTable.remove(message);
    }
    if (kind == ProbeKind.CLAIM) {
      claims.hold(claim, message);
    } else if (kind == ProbeKind.DISCARD) {
      deliveries.discard(message);
    }
    outcomes.found(message, context, listener);
    return kind == ProbeKind.DISCARD;
  }

  /** Drops the message of a claim; otherwise as the other probes. */
  boolean discardClaimed(Probe probe, Object context, ProbeListener listener) {
    UnexpectedMessage message = claims.take(probe.claim());
    if (message == null) {
      outcomes.failProbe(FabricError.INVALID, probe, context, listener, HOLDS_NONE);
      return false;
    }
    if (message.lostBy() == null) {
      deliveries.discard(message);
    }
    outcomes.found(message, context, listener);
    return true;
  }

  /** A receive gets the message of its claim. Returns whether it has met one. */
  boolean receive(PostedReceive receive) {
    UnexpectedMessage message = claims.take(receive.claim());
    if (message == null) {
      outcomes.fail(receive, FabricError.INVALID, receive.source(), receive.tag(), HOLDS_NONE);
      return false;
    }
    if (message.untagged) {
      receive.untagged();
    }
    if (message.lostBy() != null) {
      outcomes.fail(
          receive, message.lostBy(), message.source(), message.tag(), message.lostDetail());
      return false;
    }
    deliveries.takeWaiting(receive, message);
    return true;
  }

  /**
   * The sender has cancelled a message.
   *
   * @return false if no claim holds it
   */
  boolean abort(FrameOrigin origin, long message, FabricError error) {
    UnexpectedMessage claimed = claims.findAnnounced(origin, message);
    if (claimed != null && claimed.lostBy() == null) {
      claimed.lose(error, "the sender has cancelled the message");
      origin.consumed();
    }
    return claimed != null;
  }

  /** Messages that a peer has announced will not come. */
  void lose(int peer, FabricError error, String detail) {
    claims.losePeer(peer, error, detail);
  }

  /** Those that are held, in the order claimed. */
  List<UnexpectedMessage> claimed() {
    return claims.all();
  }

  int claimedCount() {
    return claims.count();
  }

  /** Nobody gets what is held any more. */
  void close() {
    claims.close();
  }
}
