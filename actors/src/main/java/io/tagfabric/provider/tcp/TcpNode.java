package io.tagfabric.provider.tcp;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.cluster.job.KeyProof;
import io.tagfabric.progress.DueFlushes;
import io.tagfabric.progress.LoopTimers;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.progress.WarningRate;
import io.tagfabric.provider.AbsentEndpoints;
import io.tagfabric.provider.PlainText;
import io.tagfabric.provider.ProviderUnavailableException;
import io.tagfabric.provider.WireContext;
import io.tagfabric.provider.WireListener;
import io.tagfabric.provider.tcp.Proof.NodeId;
import io.tagfabric.provider.tcp.line.Line;
import io.tagfabric.provider.tcp.line.PlainLine;
import io.tagfabric.provider.tcp.line.Poller;
import io.tagfabric.provider.tcp.line.Sockets;
import io.tagfabric.provider.tcp.line.Tls;
import io.tagfabric.provider.tcp.record.Chunks;
import io.tagfabric.provider.tcp.record.Places;
import io.tagfabric.provider.tcp.record.Records;
import io.tagfabric.provider.tcp.record.Staging;
import io.tagfabric.runtime.RandomSource;
import io.tagfabric.wire.Packet;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A domain's side of the connections: what they share, from the place where it listens to the
 * clock. Opened by the first wire of the domain, closed after the last.
 *
 * <p>Single threaded: the domain's loop.
 */
final class TcpNode {
  /** A connection that is made may take so long to prove itself: its loop may be busy. */
  static final long ANSWER_NS = TimeUnit.SECONDS.toNanos(10);

  /** The same of one that was accepted, once it is looked at. */
  static final long GUEST_NS = TimeUnit.SECONDS.toNanos(5);

  /** A peer that confirms nothing for so long is dialled beside its connection. */
  static final long SILENCE_NS = TimeUnit.SECONDS.toNanos(5);

  private static final Logger LOG = LoggerFactory.getLogger(TcpNode.class);
  private static final Map<ProgressLoop, TcpNode> NODES = new ConcurrentHashMap<>();

  private static final int STAGING_BYTES = 256 * 1024;
  private static final long TICK_NS = TimeUnit.MILLISECONDS.toNanos(100);

  private final ProgressLoop loop;
  private final TcpSettings settings;
  private final KeyProof proofs;
  private final RandomSource random;
  private final NodeId id;

  /** Encrypts the connections; null if they go in the clear. */
  private final Tls tls;

  private final Poller poller;
  private final Doors doors;
  private final Listeners listeners;
  private final Peers peers;
  private final Guests guests;
  private final Places places;
  private final Chunks chunks = new Chunks(Records.MAX_PACKET_BYTES);
  private final DueFlushes.Flush flush;
  private List<TcpTraffic> due = new ArrayList<>();
  private List<TcpTraffic> flushing = new ArrayList<>();
  private List<TcpTraffic> ticking = new ArrayList<>();
  private LoopTimers.Timer tick;
  private Staging staging;
  private boolean closed;

  private TcpNode(WireContext context, TcpSettings settings) throws IOException {
    this.loop = context.loop();
    this.settings = settings;
    this.random = context.random();
    InetAddress host = settings.addresses().get(0);
    places = new Places(random);
    proofs = Proof.of(context.proofs());
    id = new NodeId(context.incarnation(), random.nextLong() & -TcpAddress.MOST_PATHS);
    listeners =
        new Listeners(new AbsentEndpoints(context.incarnation(), context.proofs(), this::answer));
    tls =
        PlainText.isRemotingEncrypted(context)
            ? Tls.of(context.actors(), loop, host.getHostAddress())
            : null;
    peers = new Peers(this, random, settings.retryNs());
    poller = new Poller(loop, this::isIdle);
    try {
      doors = new Doors(settings, id.token(), tls != null);
    } catch (IOException | RuntimeException e) {
      poller.close();
      throw e;
    }
    WarningRate strangers =
        new WarningRate(text -> LOG.warn("tcp at [{}]: {}", place(), text), loop.time());
    guests = new Guests(this, poller, doors.all(), strangers);
    flush = loop.flushWhenDue(this::flush);
  }

  /**
   * The node of a loop, opened if there is none; each call needs its {@link #remove}.
   *
   * @throws ProviderUnavailableException if it cannot listen
   */
  static TcpNode enter(WireContext context, TcpSettings settings) {
    TcpNode node = NODES.get(context.loop());
    if (node == null) {
      try {
        node = new TcpNode(context, settings);
      } catch (IOException | RuntimeException e) {
        throw new ProviderUnavailableException(
            "provider tcp cannot listen at " + settings.place() + ": " + e.getMessage(), e);
      }
      NODES.put(context.loop(), node);
      node.guests.welcome();
      node.poller.start();
    }
    return node;
  }

  // ---- wires ----

  void add(int endpoint, WireListener wire) {
    listeners.add(endpoint, wire);
  }

  /** An endpoint is closed; with the last one goes the node, once nobody reads its memory. */
  void remove(int endpoint) {
    listeners.remove(endpoint);
    if (listeners.isEmpty()) {
      loop.afterPolls(this::closeIfUnused);
    }
  }

  private void closeIfUnused() {
    if (listeners.isEmpty() && !closed && NODES.remove(loop, this)) {
      close();
    }
  }

  private void close() {
    closed = true;
    poller.stop();
    flush.close();
    if (tick != null) {
      tick.cancel();
    }
    guests.close();
    peers.sayBye();
    poller.close();
  }

  private boolean isIdle() {
    return peers.isEmpty() && guests.isEmpty();
  }

  TcpAddress address() {
    return doors.address();
  }

  NodeId id() {
    return id;
  }

  /** What a path of this node is known by. */
  NodeId ownId(int path) {
    return new NodeId(id.incarnation(), address().token(path));
  }

  boolean isHost(NodeId other) {
    return id.equals(other);
  }

  /** Whether the connection with a peer is made. */
  boolean isOpen(NodeId peer) {
    TcpPeer known = peers.get(peer);
    return known != null && known.isOpen();
  }

  /** Begins to make a connection that the peer cannot make; false if there is none under way. */
  boolean prepare(NodeId peer, TcpAddress at) {
    boolean mine = settings.dial() == TcpSettings.Dial.NEVER;
    if (!mine || isOpen(peer) || peers.unreachableBecause(peer, at).isPresent()) {
      return false;
    }
    TcpPeer known = peers.at(peer, at);
    if (!known.isCalled()) {
      known.call();
    }
    return true;
  }

  private void answer(EndpointAddress asker, Packet packet) {
    String text = asker.providers().get(TcpAddress.PROVIDER);
    TcpAddress at = text == null ? null : TcpAddress.parse(text).orElse(null);
    TcpPeer peer = at == null ? null : peers.get(new NodeId(asker.incarnation(), at.token()));
    if (peer != null) {
      peer.traffic().offer(asker.endpoint(), packet);
    }
  }

  // ---- what the connections share ----

  Peers peers() {
    return peers;
  }

  Guests guests() {
    return guests;
  }

  Poller poller() {
    return poller;
  }

  Doors doors() {
    return doors;
  }

  Listeners listeners() {
    return listeners;
  }

  Places places() {
    return places;
  }

  Chunks chunks() {
    return chunks;
  }

  Staging staging() {
    if (staging == null) {
      staging = new Staging(STAGING_BYTES, Records.MAX_PACKET_BYTES);
    }
    return staging;
  }

  TcpSettings settings() {
    return settings;
  }

  KeyProof proofs() {
    return proofs;
  }

  long random() {
    return random.nextLong();
  }

  /** What is to go by a socket that dials a peer. */
  Line lineTo(TcpAddress peer) throws IOException {
    SocketChannel socket = SocketChannel.open();
    try {
      Sockets.prepare(socket, settings.dscp());
      return tls == null ? new PlainLine(socket) : tls.to(peer.name(), peer.port(), socket);
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /** What goes by a socket that was accepted. */
  Line lineFrom(SocketChannel socket) throws IOException {
    try {
      Sockets.prepare(socket, settings.dscp());
      return tls == null ? new PlainLine(socket) : tls.from(socket);
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  void log(String text) {
    LOG.info("tcp at [{}]: {}", place(), text);
  }

  /** For people. */
  String place() {
    return address().place();
  }

  // ---- time ----

  long nanoTime() {
    return loop.time().nanoTime();
  }

  /** Number of the pass. */
  long pass() {
    return loop.passes().begun();
  }

  LoopTimers.Timer later(long delayNs, Runnable task) {
    return loop.timers().schedule(nanoTime() + delayNs, task);
  }

  void flushLater(TcpTraffic traffic) {
    due.add(traffic);
    flush.mark();
    loop.holdBack();
  }

  private int flush() {
    List<TcpTraffic> now = due;
    due = flushing;
    flushing = now;
    int work = 0;
    for (int i = 0; i < now.size(); i++) {
      work += now.get(i).flush();
    }
    now.clear();
    return work;
  }

  void tickLater(TcpTraffic traffic) {
    ticking.add(traffic);
    if (tick == null && !closed) {
      tick = later(TICK_NS, this::tick);
    }
  }

  private void tick() {
    tick = null;
    long nowNs = nanoTime();
    List<TcpTraffic> now = ticking;
    ticking = new ArrayList<>();
    for (TcpTraffic traffic : now) {
      if (traffic.tick(nowNs)) {
        ticking.add(traffic);
      }
    }
    if (!ticking.isEmpty() && tick == null) {
      tick = later(TICK_NS, this::tick);
    }
  }

  /** The connection with a peer is made. */
  void serves(TcpPeer peer) {
    peers.forget(peer.id());
    poller.hurry();
    guests.dropHeldFor(peer);
  }

  /** Nothing more comes of a peer. */
  void ended(TcpPeer peer) {
    peers.remove(peer);
    if (staging != null) {
      staging.forget(peer.traffic().incoming());
    }
    if (!closed) {
      listeners.onChannelClosed();
    }
  }
}
