package io.tagfabric.provider.tcp;

import io.tagfabric.error.FabricError;
import io.tagfabric.provider.tcp.Proof.NodeId;
import io.tagfabric.runtime.RandomSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The peers that a node has a connection with or makes one, those that it could not dial, and what
 * it says when a peer dials. Thread: the domain's loop.
 */
final class Peers {
  private static final Logger LOG = LoggerFactory.getLogger(TcpNode.class);

  private final TcpNode node;
  private final RandomSource random;
  private final long retryNs;
  private final Map<NodeId, TcpPeer> all = new HashMap<>();
  private final Map<NodeId, Memory> failures = new HashMap<>();

  /** The connection of the node with itself, as the side that was dialled; null if none. */
  private TcpPeer calledByItself;

  /**
   * That a peer could not be dialled.
   *
   * @param untilNs it is not dialled before
   */
  private record Memory(String reason, long untilNs) {}

  /**
   * None yet.
   *
   * @param retryNs how long a peer that could not be dialled is not dialled again
   */
  Peers(TcpNode node, RandomSource random, long retryNs) {
    this.node = node;
    this.random = random;
    this.retryNs = retryNs;
  }

  boolean isEmpty() {
    return all.isEmpty();
  }

  /** The peer that is known by a name; null if there is none. */
  TcpPeer get(NodeId id) {
    return all.get(id);
  }

  /** The peer with an address, known from now on; a closed one is not given again. */
  TcpPeer at(NodeId id, TcpAddress at) {
    TcpPeer known = all.computeIfAbsent(id, key -> new TcpPeer(node, key, random.nextLong() | 1));
    known.route().address(at);
    return known;
  }

  /** Why a peer cannot be reached, empty if it can. */
  Optional<String> unreachableBecause(NodeId id, TcpAddress at) {
    if (all.containsKey(id)) {
      return Optional.empty();
    }
    Memory memory = failures.get(id);
    if (memory != null) {
      long leftNs = memory.untilNs - node.nanoTime();
      if (leftNs > 0) {
        return Optional.of(
            "it could not be dialled at "
                + at.place()
                + ", "
                + memory.reason
                + "; it is dialled again in "
                + leftNs / 1_000_000
                + " ms at the earliest");
      }
      failures.remove(id);
    }
    if (!at.dialled()) {
      return Optional.of("it is not to be dialled, and has not dialled");
    }
    return node.address().unreachableBecause(at);
  }

  /** Does not dial a peer for some time. */
  void remember(TcpPeer peer, String reason) {
    long nowNs = node.nanoTime();
    failures.values().removeIf(each -> each.untilNs - nowNs <= 0);
    failures.put(peer.id(), new Memory(reason, nowNs + retryNs));
    LOG.warn(
        "tcp at [{}]: no connection with [{}], {}; its endpoints are reached by the next provider"
            + " they offer, and it is dialled again after {}={} ms",
        node.place(),
        peer.route().address().place(),
        reason,
        TcpSettings.DIAL_RETRY.fullKey(),
        retryNs / 1_000_000);
  }

  /** The connection with a peer is made. */
  void forget(NodeId failed) {
    failures.remove(failed);
  }

  /** Nothing more comes of a peer. */
  void remove(TcpPeer peer) {
    all.remove(peer.id(), peer);
    if (calledByItself == peer) {
      calledByItself = null;
    }
  }

  /** The domain closes. */
  void sayBye() {
    List.copyOf(all.values()).forEach(TcpPeer::sayBye);
    if (calledByItself != null) {
      calledByItself.sayBye();
    }
  }

  // ---- those that dial ----

  /** Whether a dial has to wait for the one of this node to the same peer. */
  boolean dialsItself(Proof.Dial said) {
    TcpPeer peer = all.get(said.from());
    return peer != null && peer.isCalled() && node.id().isAbove(said.from());
  }

  /** What a dial is answered; nothing changes here with that. */
  Proof.Answer answerTo(Proof.Dial said) {
    int path = TcpAddress.path(said.from().token());
    if (!said.wanted().equals(node.ownId(path))) {
      return new Proof.Answer(Proof.ANOTHER, 0);
    }
    TcpPeer peer = called(said.from());
    boolean anew = peer == null || !peer.mayGoOn(said.stream());
    long stream = anew ? random.nextLong() | 1 : peer.stream();
    boolean welcome = said.peersStream() == 0 || said.peersStream() == stream;
    return new Proof.Answer(welcome ? Proof.WELCOME : Proof.ENDED, stream);
  }

  /** The peer whose connection a dial becomes; null if what it wanted to go on has ended. */
  TcpPeer peerOf(Proof.Dial said, Proof.Answer answered) {
    TcpPeer peer = called(said.from());
    if (peer != null && !peer.mayGoOn(said.stream())) {
      peer.close("the peer has given the connection up", FabricError.CONNECTION_RESET);
      peer = null;
    }
    if (peer != null) {
      return peer.adopts(answered.stream()) ? peer : null;
    }
    if (said.peersStream() != 0) {
      return null;
    }
    TcpPeer made = new TcpPeer(node, said.from(), answered.stream());
    if (node.isHost(said.from())) {
      calledByItself = made;
    } else {
      all.put(said.from(), made);
    }
    return made;
  }

  /** The peer that has dialled. */
  private TcpPeer called(NodeId from) {
    return node.isHost(from) ? calledByItself : all.get(from);
  }

  /** A guest has gone without a connection. */
  void onGone(Guest guest) {
    for (TcpPeer peer : List.copyOf(all.values())) {
      if (guest.isFor(peer)) {
        peer.onGuestGone();
      }
    }
  }
}
