package io.tagfabric.provider.tcp;

import io.tagfabric.error.FabricError;
import io.tagfabric.progress.LoopTimers;
import io.tagfabric.provider.tcp.Proof.NodeId;
import io.tagfabric.provider.tcp.line.Line;
import java.io.IOException;

/**
 * One other node and the connection with it, which all endpoints of both share. It is made for the
 * first packet, and made again when it breaks; the streams of both directions go on then from where
 * the other side has them, so nothing is lost, doubled or out of order. What goes by it is {@link
 * TcpTraffic}.
 *
 * <p>Thread: the domain's loop.
 */
final class TcpPeer {
  private static final long FIRST_RETRY_NS = 50_000_000L;
  private static final long MOST_RETRY_NS = 1_000_000_000L;

  private enum State {
    /** Nothing is to be sent yet, or the connection is being made for the first time. */
    NEW,
    OPEN,
    /** It was open and has no line now. */
    BROKEN,
    CLOSED
  }

  private final TcpNode node;
  private final NodeId id;
  private final Route route;
  private final TcpTraffic traffic;
  private State state = State.NEW;
  private long stream;
  private long peersStream;

  /** Whether the peer may know the number of this side's stream from a connection that serves. */
  private boolean streamTold;

  /** Whether this side has made the connection. */
  private boolean dialled;

  private Call call;
  private LoopTimers.Timer resumeEnd;
  private LoopTimers.Timer retry;
  private long retryNs;
  private String closedBecause;
  private FabricError closedWith = FabricError.SHUTDOWN;

  /**
   * A node that nothing is known of yet.
   *
   * @param stream number of this side's stream
   */
  TcpPeer(TcpNode node, NodeId id, long stream) {
    this.node = node;
    this.id = id;
    this.stream = stream;
    route = new Route(id);
    traffic = new TcpTraffic(node, this);
  }

  NodeId id() {
    return id;
  }

  /** How it is dialled. */
  Route route() {
    return route;
  }

  /** What goes by the connection. */
  TcpTraffic traffic() {
    return traffic;
  }

  /** Whether the connection has been made, and has not ended. */
  boolean isOpen() {
    return state == State.OPEN || state == State.BROKEN;
  }

  boolean isClosed() {
    return state == State.CLOSED;
  }

  String closedBecause() {
    return closedBecause;
  }

  FabricError closedWith() {
    return closedWith;
  }

  // ---- numbers of the streams ----

  /** That of this side's. */
  long stream() {
    return stream;
  }

  /** That of the peer's; 0 until it is known. */
  long peersStream() {
    return peersStream;
  }

  /**
   * Takes a number for that of its own stream, which the peer has been told before this side began
   * to send.
   *
   * @return false if the peer knows another already
   */
  boolean adopts(long number) {
    if (stream != number && streamTold) {
      return false;
    }
    stream = number;
    return true;
  }

  /** The peer is about to be told that this side agrees; it may then take it for open. */
  void agrees() {
    streamTold = true;
  }

  /** Whether the peer's stream of that number may be the one that comes here. */
  boolean mayGoOn(long number) {
    return peersStream == 0 || peersStream == number;
  }

  // ---- calls ----

  /** Dials it; what comes of that is told later. */
  void call() {
    try {
      call = Call.to(this, node);
    } catch (IOException e) {
      String reason = "there is no socket for it: " + e.getMessage();
      node.poller().soon(() -> onCallFailed(null, new Failure(Failure.Kind.UNKNOWN, reason)));
    }
  }

  /** There is something to be sent and no line. */
  void callIfNew() {
    if (state == State.NEW && call == null) {
      call();
    }
  }

  boolean isCalled() {
    return call != null;
  }

  /** What this side says when it dials. */
  Proof.Dial dial() {
    NodeId own = node.ownId(TcpAddress.path(id.token()));
    return new Proof.Dial(own.incarnation(), own.token(), id, stream, peersStream);
  }

  private boolean mayDial() {
    return route.isDialled() && !node.isHost(id);
  }

  private boolean hasUntriedWays() {
    return route.address() != null && route.triedWays() < node.doors().ways(route.address());
  }

  /**
   * A call has brought no connection.
   *
   * @param failed null if it could not even begin
   */
  void onCallFailed(Call failed, Failure failure) {
    if (call != failed) {
      return;
    }
    call = null;
    boolean guests = node.guests().goOnFor(this);
    route.turn();
    switch (state) {
      case NEW -> {
        if (streamTold) {
          waitForNext(); // the peer may have sent something by it already
        } else if (!guests && hasUntriedWays() && failure.kind() != Failure.Kind.DENIED) {
          call();
        } else if (!guests) {
          node.peers().remember(this, failure.reason());
          close(
              "no connection with [" + route.where() + "]: " + failure.reason(),
              FabricError.HOST_UNREACHABLE);
        }
      }
      case BROKEN -> {
        if (!guests && route.isProofOfDeath(failure)) {
          fail("its connection has broken, and " + failure.reason(), FabricError.CONNECTION_RESET);
        }
      }
      case OPEN, CLOSED -> {
        // The line that there is may still serve.
      }
    }
  }

  /** A guest that was to become the connection of a peer that is new has gone. */
  void onGuestGone() {
    if (state == State.NEW && call == null && traffic.hasSent()) {
      node.peers().remember(this, "neither side's dial has brought a connection");
      close("neither side's dial has brought a connection", FabricError.HOST_UNREACHABLE);
    }
  }

  /** Nothing is confirmed. */
  void onSilence() {
    if (dialled && call == null && mayDial()) {
      route.turn();
      call(); // a firewall may have forgotten the connection, or an interface be down
    }
  }

  // ---- the line ----

  /**
   * A line serves from now on.
   *
   * @param peerHas position up to which the peer has this side's stream
   * @param number of the peer's stream
   * @param own whether this side has dialled
   */
  void attach(Line proved, long peerHas, long number, boolean own) {
    if (state == State.CLOSED) {
      node.poller().close(proved);
      return;
    }
    Call other = call;
    call = null;
    if (other != null && !own) {
      other.close();
    }
    cancelTimers();
    peersStream = number;
    streamTold = true;
    dialled = own;
    route.serves(proved, own);
    boolean first = state == State.NEW;
    state = State.OPEN;
    traffic.attach(proved);
    node.serves(this);
    if (!traffic.resume(peerHas)) {
      broken("it has more of this side's stream than was sent");
    } else if (!first) {
      node.log("connection with [" + route.where() + "] made again");
    }
  }

  /**
   * Another line is about to serve; the present one is closed.
   *
   * @return position up to which the peer's stream has come
   */
  long leave() {
    if (state == State.OPEN) {
      lostLine();
    }
    return traffic.incoming().received();
  }

  private void lostLine() {
    traffic.detach();
    waitForNext();
  }

  /** What was wrong with the line is dealt with. */
  void onTrouble() {
    String what = traffic.trouble();
    if (state != State.OPEN || what == null) {
      return;
    }
    node.log("connection with [" + route.where() + "] broken: " + what);
    lostLine();
    redial();
  }

  private void waitForNext() {
    state = State.BROKEN;
    retryNs = FIRST_RETRY_NS;
    resumeEnd =
        node.later(
            node.settings().resumeNs(),
            () ->
                fail(
                    "its connection has broken, and was not made again within "
                        + TcpSettings.RESUME.fullKey()
                        + "="
                        + node.settings().resumeNs() / 1_000_000
                        + " ms",
                    FabricError.TIMED_OUT));
    retryLater();
  }

  private void redial() {
    if (state == State.BROKEN && call == null && mayDial()) {
      call();
    }
  }

  private void retryLater() {
    retry = node.later(retryNs, this::onRetry);
    retryNs = Math.min(2 * retryNs, MOST_RETRY_NS);
  }

  private void onRetry() {
    retry = null;
    if (state == State.BROKEN) {
      redial();
      retryLater();
    }
  }

  // ---- the end ----

  /** Ends it; if nothing has ever come by it, its endpoints are reached otherwise. */
  private void fail(String reason, FabricError error) {
    if (peersStream == 0) {
      node.peers().remember(this, reason);
    }
    close(reason, error);
  }

  /** What the other side has broken the rules of. */
  void broken(String how) {
    node.log("connection with [" + route.where() + "] closed: " + how);
    close("the peer's node has broken the rules of a connection: " + how, FabricError.PROTOCOL);
  }

  /** The domain closes: says so if the line takes it. */
  void sayBye() {
    traffic.sayBye();
    close("the domain is closed", FabricError.SHUTDOWN);
  }

  /** Ends it for good. */
  void close(String reason, FabricError error) {
    if (state == State.CLOSED) {
      return;
    }
    state = State.CLOSED;
    closedBecause = reason;
    closedWith = error;
    if (call != null) {
      call.close();
      call = null;
    }
    cancelTimers();
    traffic.close();
    node.ended(this);
  }

  private void cancelTimers() {
    if (resumeEnd != null) {
      resumeEnd.cancel();
      resumeEnd = null;
    }
    if (retry != null) {
      retry.cancel();
      retry = null;
    }
  }
}
