package io.tagfabric.provider.tcp;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.cluster.job.KeyProof;
import io.tagfabric.error.FabricError;
import io.tagfabric.progress.DueFlushes;
import io.tagfabric.progress.LoopTimers;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.progress.WarningRate;
import io.tagfabric.provider.AbsentEndpoints;
import io.tagfabric.provider.LoopbackScope;
import io.tagfabric.provider.PlainText;
import io.tagfabric.provider.ProviderUnavailableException;
import io.tagfabric.provider.WireContext;
import io.tagfabric.provider.WireListener;
import io.tagfabric.provider.tcp.Proof.NodeId;
import io.tagfabric.runtime.RandomSource;
import io.tagfabric.wire.Packet;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PrimitiveIterator;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.agrona.collections.Int2ObjectHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A domain's side of the connections: where it listens, the peers it has, and what is read when.
 * Opened by the first wire of the domain, closed after the last.
 *
 * <p>A few connections that bring something again and again are read in every look. All others, the
 * listener among them, are in one selector, which is asked now and then: that takes as long
 * whatever their number. Threads that sleep on the loop wake for all of them.
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

  /** Connections that have not proved themselves, at most. */
  static final int MOST_GUESTS = 64;

  private static final Logger LOG = LoggerFactory.getLogger(TcpNode.class);
  private static final Map<ProgressLoop, TcpNode> NODES = new ConcurrentHashMap<>();

  private static final int BACKLOG = 1024;
  private static final int STAGING_BYTES = 256 * 1024;
  private static final long TICK_NS = TimeUnit.MILLISECONDS.toNanos(100);

  /** Connections that are read in every look: each costs as much as a question to the selector. */
  private static final int MOST_HOT = 4;

  /** One that brings nothing in so many polls is not read in each any more. */
  private static final int HOT_POLLS = 1024;

  /** So many reads with something are worth more than watching the socket anew. */
  private static final int READS_PER_HUSH = 64;

  /** The selector is asked at least once in so many polls, by a node that has connections. */
  private static final int POLLS_PER_SELECT = 16;

  /** And by one that has none. */
  private static final int IDLE_POLLS_PER_SELECT = 1024;

  private final ProgressLoop loop;
  private final TcpSettings settings;
  private final KeyProof proofs;
  private final RandomSource random;
  private final NodeId id;
  private final TcpAddress address;

  /** Encrypts the connections; null if they go in the clear. */
  private final Tls tls;

  private final Selector selector;

  /** Where it listens and dials from, one for each rail. */
  private final List<InetAddress> rails;

  private final List<ServerSocketChannel> doors = new ArrayList<>();
  private final Chunks chunks = new Chunks(TcpProvider.MAX_PACKET_BYTES);
  private final Places places;
  private final AbsentEndpoints absent;
  private final WarningRate strangers;
  private final Int2ObjectHashMap<WireListener> listeners = new Int2ObjectHashMap<>();
  private final Map<NodeId, TcpPeer> peers = new HashMap<>();
  private final Map<NodeId, Memory> failures = new HashMap<>();
  private final List<Guest> guests = new ArrayList<>();
  private final List<Ready> ready = new ArrayList<>();
  private final Ready accepts = this::accept;
  private final Consumer<SelectionKey> noteReady = this::noteReady;
  private final ArrayDeque<Runnable> soon = new ArrayDeque<>();
  private final TcpPeer[] hot = new TcpPeer[MOST_HOT];
  private final ProgressLoop.Step poll = this::poll;
  private final DueFlushes.Flush flush;
  private final Runnable rings = this::rung;
  private List<TcpPeer> due = new ArrayList<>();
  private List<TcpPeer> flushing = new ArrayList<>();
  private List<TcpPeer> ticking = new ArrayList<>();
  private LoopTimers.Timer tick;

  /** The connection of this node with itself, as the side that was dialled; null if none. */
  private TcpPeer calledByItself;

  private Staging staging;
  private int hotCount;
  private long polls;
  private int pollsPerSelect = 1;
  private int pollsToSelect = 1;

  /** Whether there are as many guests as may be. */
  private boolean full;

  private volatile boolean hasRung;
  private boolean closed;
  private int lastEndpoint = -1;
  private WireListener lastListener;

  /**
   * That a peer could not be dialled.
   *
   * @param untilNs it is not dialled before
   */
  private record Memory(String reason, long untilNs) {}

  private TcpNode(WireContext context, TcpSettings settings) throws IOException {
    this.loop = context.loop();
    this.settings = settings;
    this.random = context.random();
    rails = settings.addresses();
    places = new Places(random);
    proofs = Proof.of(context.proofs());
    id = new NodeId(context.incarnation(), random.nextLong() & -TcpAddress.MOST_PATHS);
    absent = new AbsentEndpoints(context.incarnation(), context.proofs(), this::answer);
    strangers = new WarningRate(text -> LOG.warn("tcp at [{}]: {}", place(), text), loop.time());
    tls =
        PlainText.isRemotingEncrypted(context)
            ? Tls.of(context.actors(), loop, rails.get(0).getHostAddress())
            : null;
    selector = Selector.open();
    try {
      int[] ports = new int[rails.size()];
      for (int i = 0; i < ports.length; i++) {
        ServerSocketChannel door = ServerSocketChannel.open();
        doors.add(door);
        ports[i] = bind(door, rails.get(i));
        door.configureBlocking(false);
      }
      List<InetAddress> told = settings.toldAddresses();
      List<InetSocketAddress> toldPlaces = new ArrayList<>();
      for (int i = 0; i < told.size(); i++) {
        int port = settings.toldPort() == 0 ? ports[i] : settings.toldPort();
        toldPlaces.add(new InetSocketAddress(told.get(i), port));
      }
      address =
          new TcpAddress(
              id.token(),
              settings.dial() == TcpSettings.Dial.ALWAYS,
              told.stream().allMatch(InetAddress::isLoopbackAddress) ? LoopbackScope.own() : "",
              toldPlaces,
              1,
              tls == null ? "" : settings.toldName());
    } catch (IOException | RuntimeException e) {
      for (ServerSocketChannel door : doors) {
        door.close();
      }
      selector.close();
      throw e;
    }
    flush = loop.flushWhenDue(this::flush);
  }

  private int bind(ServerSocketChannel door, InetAddress host) throws IOException {
    PrimitiveIterator.OfInt ports = settings.ports().inTurn().iterator();
    while (ports.hasNext()) {
      InetSocketAddress place = new InetSocketAddress(host, ports.nextInt());
      try {
        door.bind(place, BACKLOG);
        return ((InetSocketAddress) door.getLocalAddress()).getPort();
      } catch (BindException e) {
        if (!ports.hasNext()) {
          throw new IOException(
              "no port is free of "
                  + TcpSettings.PORTS.fullKey()
                  + "="
                  + settings.ports()
                  + " at "
                  + host.getHostAddress()
                  + " ("
                  + e.getMessage()
                  + "), give a wider range",
              e);
        }
      }
    }
    throw new IllegalStateException("a range has a port");
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
      node.start();
    }
    return node;
  }

  private void start() {
    doors.forEach(door -> register(door, SelectionKey.OP_ACCEPT, accepts));
    loop.addPoll(poll);
  }

  // ---- wires ----

  void add(int endpoint, WireListener wire) {
    listeners.put(endpoint, wire);
    lastEndpoint = -1;
  }

  /** An endpoint is closed; with the last one goes the node, once nobody reads its memory. */
  void remove(int endpoint) {
    listeners.remove(endpoint);
    lastEndpoint = -1;
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
    loop.removePoll(poll);
    flush.close();
    if (tick != null) {
      tick.cancel();
    }
    List.copyOf(guests).forEach(Guest::close);
    List.copyOf(peers.values()).forEach(TcpPeer::sayBye);
    if (calledByItself != null) {
      calledByItself.sayBye();
    }
    doors.forEach(door -> close(door, door));
    try {
      selector.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The endpoint's listener, null if it is not here. Most records are for the one before. */
  WireListener listener(int endpoint) {
    if (endpoint != lastEndpoint) {
      lastListener = listeners.get(endpoint);
      lastEndpoint = endpoint;
    }
    return lastListener;
  }

  TcpAddress address() {
    return address;
  }

  Places places() {
    return places;
  }

  NodeId id() {
    return id;
  }

  /** What a path of this node is known by. */
  NodeId ownId(int path) {
    return new NodeId(id.incarnation(), address.token(path));
  }

  /** So many ways lead to a peer, from one of this node's rails to one of the peer's. */
  int ways(TcpAddress peer) {
    return Math.max(rails.size(), peer.places().size());
  }

  /** Binds a socket to the address of a rail, if there are several. */
  void bind(SocketChannel socket, int way) throws IOException {
    if (rails.size() > 1) {
      socket.bind(new InetSocketAddress(rails.get(way % rails.size()), 0));
    }
  }

  /** Why a peer cannot be reached, empty if it can. */
  Optional<String> unreachableBecause(NodeId peer, TcpAddress at) {
    TcpPeer known = peers.get(peer);
    if (known != null) {
      return Optional.empty();
    }
    Memory memory = failures.get(peer);
    if (memory != null) {
      long leftNs = memory.untilNs - nanoTime();
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
      failures.remove(peer);
    }
    if (!at.dialled()) {
      return Optional.of("it is not to be dialled, and has not dialled");
    }
    return address.unreachableBecause(at);
  }

  /** The peer with an address, known from now on; a closed one is not given again. */
  TcpPeer at(NodeId peer, TcpAddress at) {
    TcpPeer known =
        peers.computeIfAbsent(peer, key -> new TcpPeer(this, key, random.nextLong() | 1));
    known.address(at);
    return known;
  }

  /** Whether the connection with a peer is made. */
  boolean isOpen(NodeId peer) {
    TcpPeer known = peers.get(peer);
    return known != null && known.isOpen();
  }

  /** Begins to make a connection that the peer cannot make; false if there is none under way. */
  boolean prepare(NodeId peer, TcpAddress at) {
    boolean mine = settings.dial() == TcpSettings.Dial.NEVER;
    if (!mine || isOpen(peer) || unreachableBecause(peer, at).isPresent()) {
      return false;
    }
    TcpPeer known = at(peer, at);
    if (!known.isCalled()) {
      dial(known);
    }
    return true;
  }

  private void answer(EndpointAddress asker, Packet packet) {
    String text = asker.providers().get(TcpProvider.NAME);
    TcpAddress at = text == null ? null : TcpAddress.parse(text).orElse(null);
    TcpPeer peer = at == null ? null : peers.get(new NodeId(asker.incarnation(), at.token()));
    if (peer != null) {
      peer.offer(asker.endpoint(), packet);
    }
  }

  // ---- for peers ----

  TcpSettings settings() {
    return settings;
  }

  KeyProof proofs() {
    return proofs;
  }

  long random() {
    return random.nextLong();
  }

  Chunks chunks() {
    return chunks;
  }

  Staging staging() {
    if (staging == null) {
      staging = new Staging(STAGING_BYTES, TcpProvider.MAX_PACKET_BYTES);
    }
    return staging;
  }

  AbsentEndpoints absent() {
    return absent;
  }

  WarningRate strangers() {
    return strangers;
  }

  boolean isHost(NodeId other) {
    return id.equals(other);
  }

  long nanoTime() {
    return loop.time().nanoTime();
  }

  /** Number of the pass. */
  long pass() {
    return loop.passes().begun();
  }

  void log(String text) {
    LOG.info("tcp at [{}]: {}", place(), text);
  }

  private String place() {
    return address == null ? settings.place() : address.place();
  }

  LoopTimers.Timer later(long delayNs, Runnable task) {
    return loop.timers().schedule(nanoTime() + delayNs, task);
  }

  /** Runs something in the next poll. */
  void soon(Runnable task) {
    soon.add(task);
    loop.wake();
  }

  void inTrouble(TcpPeer peer) {
    soon(peer::endTrouble);
  }

  void flushLater(TcpPeer peer) {
    due.add(peer);
    flush.mark();
    loop.holdBack();
  }

  void tickLater(TcpPeer peer) {
    ticking.add(peer);
    if (tick == null && !closed) {
      tick = later(TICK_NS, this::tick);
    }
  }

  private void tick() {
    tick = null;
    long nowNs = nanoTime();
    List<TcpPeer> now = ticking;
    ticking = new ArrayList<>();
    for (TcpPeer peer : now) {
      if (peer.tick(nowNs)) {
        ticking.add(peer);
      }
    }
    if (!ticking.isEmpty() && tick == null) {
      tick = later(TICK_NS, this::tick);
    }
  }

  void dial(TcpPeer peer) {
    try {
      peer.calls(Call.to(peer, this));
    } catch (IOException e) {
      String reason = "there is no socket for it: " + e.getMessage();
      soon(() -> peer.onCallFailed(null, new Failure(Failure.Kind.UNKNOWN, reason)));
    }
  }

  /** Does not dial a peer for some time. */
  void remember(TcpPeer peer, String reason) {
    long nowNs = nanoTime();
    failures.values().removeIf(each -> each.untilNs - nowNs <= 0);
    failures.put(peer.id(), new Memory(reason, nowNs + settings.retryNs()));
    LOG.warn(
        "tcp at [{}]: no connection with [{}], {}; its endpoints are reached by the next provider"
            + " they offer, and it is dialled again after {}={} ms",
        place(),
        peer.address().place(),
        reason,
        TcpSettings.DIAL_RETRY.fullKey(),
        settings.retryNs() / 1_000_000);
  }

  /** The connection with a peer is made. */
  void settled(TcpPeer peer) {
    failures.remove(peer.id());
    pollsPerSelect = 1;
    for (Guest guest : List.copyOf(guests)) {
      if (guest.isHeldFor(peer)) {
        guest.close();
      }
    }
  }

  /** Nothing more comes of a peer. */
  void ended(TcpPeer peer) {
    peers.remove(peer.id(), peer);
    if (calledByItself == peer) {
      calledByItself = null;
    }
    if (staging != null) {
      staging.forget(peer);
    }
    if (!closed) {
      List.copyOf(listeners.values()).forEach(WireListener::onChannelClosed);
    }
  }

  // ---- guests ----

  private int accept() {
    int accepted = 0;
    try {
      for (ServerSocketChannel door : doors) {
        SocketChannel socket = guests.size() < MOST_GUESTS ? door.accept() : null;
        while (socket != null) {
          accepted++;
          guests.add(Guest.at(this, socket));
          socket = guests.size() < MOST_GUESTS ? door.accept() : null;
        }
      }
      if (guests.size() == MOST_GUESTS) {
        full = true; // others wait where the system keeps them: most of them may be peers
        doors.forEach(door -> register(door, 0, accepts));
      }
    } catch (IOException e) {
      strangers.warn(() -> "a connection cannot be accepted: " + e.getMessage());
    }
    return accepted;
  }

  private void remove(Guest guest) {
    guests.remove(guest);
    if (full && !closed) {
      full = false;
      doors.forEach(door -> register(door, SelectionKey.OP_ACCEPT, accepts));
    }
  }

  /** Whether a dial has to wait for the one of this node to the same peer. */
  boolean dialsItself(Proof.Dial said) {
    TcpPeer peer = peers.get(said.from());
    return peer != null && peer.isCalled() && id.isAbove(said.from());
  }

  /** What a dial is answered; nothing changes here with that. */
  Proof.Answer answerTo(Proof.Dial said) {
    int path = TcpAddress.path(said.from().token());
    if (!said.wanted().equals(ownId(path))) {
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
    TcpPeer made = new TcpPeer(this, said.from(), answered.stream());
    if (isHost(said.from())) {
      calledByItself = made;
    } else {
      peers.put(said.from(), made);
    }
    return made;
  }

  /** The peer that has dialled. */
  private TcpPeer called(NodeId from) {
    return isHost(from) ? calledByItself : peers.get(from);
  }

  /** A call has failed: a guest that was held for its outcome goes on. Whether there is one. */
  boolean guestGoesOn(TcpPeer peer) {
    boolean found = false;
    for (Guest guest : List.copyOf(guests)) {
      if (guest.isHeldFor(peer)) {
        guest.goOn();
      }
      found |= guests.contains(guest) && guest.isFor(peer);
    }
    return found;
  }

  /** A guest has become a connection. */
  void served(Guest guest) {
    remove(guest);
  }

  /** A guest is closed. */
  void left(Guest guest) {
    remove(guest);
    for (TcpPeer peer : List.copyOf(peers.values())) {
      if (guest.isFor(peer)) {
        peer.onGuestGone();
      }
    }
  }

  // ---- sockets ----

  /** What is to go by a socket that dials a peer. */
  Line lineTo(TcpAddress peer) throws IOException {
    SocketChannel socket = SocketChannel.open();
    try {
      Sockets.prepare(socket, settings.dscp());
      return tls == null ? new PlainLine(socket) : tls.to(peer, socket);
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

  /**
   * Goes on with what a line has to do before its first byte.
   *
   * @param hears is called when that goes on
   * @return whether it has ended
   */
  boolean isMade(Line line, Ready hears) throws IOException {
    boolean made = line.shake(hears);
    SelectionKey key = line.socket().keyFor(selector);
    if (key != null && key.interestOps() != line.wants()) {
      register(line.socket(), line.wants(), hears);
    }
    return made;
  }

  /** Watches a socket from now on, or otherwise than before. */
  void register(SelectableChannel socket, int operations, Ready hears) {
    try {
      socket.register(selector, operations, hears);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    loop.watch(socket, operations, rings);
    pollsToSelect = 1;
  }

  /** Closes a connection. */
  void close(Line line) {
    close(line, line.socket());
  }

  /** Closes what may be watched. */
  private void close(Closeable open, SelectableChannel socket) {
    try {
      open.close();
    } catch (IOException e) {
      LOG.debug("a socket cannot be closed", e);
    }
    loop.unwatch(socket);
    pollsToSelect = 1; // so that the selector forgets it, and the system with it
  }

  /** A thread that slept has found a socket ready. Thread: any. */
  private void rung() {
    hasRung = true;
  }

  private int poll() {
    polls++;
    int work = 0;
    if (hasRung || --pollsToSelect <= 0) {
      work += select();
    }
    for (int i = 0; i < hotCount; i++) {
      work += hot[i].read();
    }
    if (!soon.isEmpty()) {
      work += runSoon();
    }
    if (hotCount > 0 && polls % HOT_POLLS == 0) {
      coolIdle();
    }
    return work;
  }

  private void noteReady(SelectionKey key) {
    ready.add((Ready) key.attachment());
  }

  private int select() {
    hasRung = false;
    try {
      selector.selectNow(noteReady);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    int work = 0;
    for (int i = 0; i < ready.size(); i++) {
      work += ready.get(i).onReady();
    }
    ready.clear();
    int most = peers.isEmpty() && guests.isEmpty() ? IDLE_POLLS_PER_SELECT : POLLS_PER_SELECT;
    pollsPerSelect = work > 0 ? 1 : Math.min(2 * pollsPerSelect, most);
    pollsToSelect = pollsPerSelect;
    return work;
  }

  private int runSoon() {
    int count = soon.size();
    for (int i = 0; i < count; i++) {
      soon.poll().run();
    }
    return count;
  }

  /** A read has brought something. */
  void hasWorked(TcpPeer peer, SocketChannel socket) {
    if (peer.isBusy(READS_PER_HUSH, polls)) {
      loop.hushOne(socket);
    }
    for (int i = 0; i < hotCount; i++) {
      if (hot[i] == peer) {
        return;
      }
    }
    if (hotCount < MOST_HOT) {
      hot[hotCount] = peer;
      hotCount++;
      select(peer, false);
    }
  }

  private void coolIdle() {
    for (int i = hotCount - 1; i >= 0; i--) {
      if (polls - hot[i].lastWorkPoll() >= HOT_POLLS) {
        cool(hot[i]);
      }
    }
  }

  /** A peer is not read in each look any more. */
  void cool(TcpPeer peer) {
    for (int i = 0; i < hotCount; i++) {
      if (hot[i] == peer) {
        hotCount--;
        hot[i] = hot[hotCount];
        hot[hotCount] = null;
        select(peer, true);
        return;
      }
    }
  }

  /** Puts the reading of a peer's socket into the selector, or takes it out. */
  private void select(TcpPeer peer, boolean selected) {
    SelectionKey key = peer.socket().keyFor(selector);
    try {
      if (key != null) {
        key.interestOps(
            selected
                ? key.interestOps() | SelectionKey.OP_READ
                : key.interestOps() & ~SelectionKey.OP_READ);
        pollsToSelect = 1;
      }
    } catch (CancelledKeyException e) {
      LOG.debug("closed meanwhile", e);
    }
  }

  private int flush() {
    List<TcpPeer> now = due;
    due = flushing;
    flushing = now;
    int work = 0;
    for (int i = 0; i < now.size(); i++) {
      work += now.get(i).flush();
    }
    now.clear();
    return work;
  }
}
