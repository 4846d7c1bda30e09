package io.tagfabric.provider.tcp;

import io.tagfabric.provider.tcp.Proof.NodeId;
import io.tagfabric.provider.tcp.line.Line;
import io.tagfabric.provider.tcp.line.Sockets;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** How a peer is dialled, and what is known of its host from that. Thread: the domain's loop. */
final class Route {
  private TcpAddress address;

  /** Which way it is dialled: from the rail of that number to the one of the peer, around. */
  private int way;

  /** Ways that have been tried in vain since it was open last, or begun. */
  private int triedWays;

  /** Host from which the peer has dialled; null if it has not. */
  private InetAddress calledFrom;

  /** Whether a dial to its address has ever succeeded. */
  private boolean reached;

  Route(NodeId peer) {
    way = TcpAddress.path(peer.token());
  }

  /** Where it listens; null if it has only called so far. */
  TcpAddress address() {
    return address;
  }

  void address(TcpAddress known) {
    address = known;
  }

  int way() {
    return way;
  }

  /** Where it is dialled. */
  InetSocketAddress place() {
    return address.places().get(way % address.places().size());
  }

  /** For people. */
  String where() {
    return address == null ? "a node that has dialled" : address.place();
  }

  /** Whether it is known where, and that it may be dialled there. */
  boolean isDialled() {
    return address != null && address.dialled();
  }

  /** The next dial goes another way, if there is one. */
  void turn() {
    way = (way + 1) % TcpAddress.MOST_PLACES;
    triedWays++;
  }

  int triedWays() {
    return triedWays;
  }

  /**
   * A connection serves.
   *
   * @param own whether this side has dialled
   */
  void serves(Line line, boolean own) {
    triedWays = 0;
    reached |= own;
    calledFrom = own ? calledFrom : Sockets.remoteHost(line.socket());
  }

  /**
   * Whether a failed call says that the peer has ended. That a host refuses says so only if the
   * peer's own host does: what answers may be in between where nothing shows that it is not.
   */
  boolean isProofOfDeath(Failure failure) {
    return switch (failure.kind()) {
      case DENIED -> true;
      case REFUSED -> reached || address.isAt(calledFrom);
      case UNKNOWN -> false;
    };
  }
}
