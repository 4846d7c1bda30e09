package io.tagfabric.provider.local;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.provider.AccessMark;
import io.tagfabric.provider.Channel;
import io.tagfabric.provider.DirectMemory;
import io.tagfabric.provider.DirectRegion;
import io.tagfabric.provider.KnownRegions;
import io.tagfabric.provider.LocalRegions;
import io.tagfabric.provider.Wire;
import io.tagfabric.provider.WireContext;
import io.tagfabric.provider.WireListener;
import io.tagfabric.wire.MessageView;
import io.tagfabric.wire.Packet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** One endpoint's place in the JVM-wide exchange. A channel holds the peer's inbox itself. */
final class LocalWire implements Wire {
  private record Identity(long incarnation, int endpoint) {}

  private static final ConcurrentMap<Identity, LocalInbox> EXCHANGE = new ConcurrentHashMap<>();

  private final String vm;
  private final Identity identity;
  private final ProgressLoop loop;
  private final LocalInbox inbox;
  private final WireListener listener;
  private final Map<LocalInbox, Peer> peers = new LinkedHashMap<>();
  private final AccessMark mark;
  private boolean closed;

  LocalWire(WireContext context) {
    vm = context.vm();
    identity = new Identity(context.incarnation(), context.endpoint());
    loop = context.loop();
    inbox = new LocalInbox(loop, context.listener());
    listener = context.listener();
    if (EXCHANGE.putIfAbsent(identity, inbox) != null) {
      throw new IllegalStateException(
          "endpoint="
              + context.endpoint()
              + " of incarnation="
              + context.incarnation()
              + " is open already");
    }
    mark = LocalRegions.enter(loop);
  }

  /**
   * Another endpoint, as this one sees it. It may close while packets that it has sent wait here;
   * its channels are closed when those have been handled.
   */
  private final class Peer {
    /** Null when nothing more will come from it: a channel outlives what its peer has left. */
    LocalInbox inbox;

    final boolean isOwn;
    final Runnable closing;
    final LocalChannel channel = new LocalChannel(this, mark);

    Peer(LocalInbox inbox) {
      this.inbox = inbox;
      isOwn = inbox.isOf(loop);
      closing = () -> LocalWire.this.inbox.afterwards(this::end, isOwn);
    }

    /** The listener looks which channel that was. */
    private void end() {
      if (inbox != null) {
        peers.remove(inbox, this);
        inbox = null;
        channel.end();
        if (!LocalWire.this.inbox.isClosed()) {
          listener.onChannelClosed();
        }
      }
    }
  }

  @Override
  public String address() {
    return "";
  }

  @Override
  public Optional<String> unreachableBecause(EndpointAddress peer) {
    return peer.vm().equals(vm)
        ? Optional.empty()
        : Optional.of("vm=" + peer.vm() + " is not this JVM, vm=" + vm);
  }

  @Override
  public Channel connect(EndpointAddress peer) {
    LocalInbox there = EXCHANGE.get(new Identity(peer.incarnation(), peer.endpoint()));
    return there == null ? new LocalChannel(null, mark) : peer(there).channel;
  }

  private Peer peer(LocalInbox there) {
    Peer known = peers.get(there);
    if (known != null) {
      return known;
    }
    Peer peer = new Peer(there);
    peers.put(there, peer);
    there.connected(peer.closing);
    return peer;
  }

  @Override
  public void closeToDirectAccess() {
    inbox.askForAccesses();
  }

  @Override
  public boolean gathers() {
    return false;
  }

  @Override
  public void close() {
    peers.values().forEach(peer -> peer.inbox.disconnected(peer.closing));
    peers.clear();
    inbox.close();
    EXCHANGE.remove(identity, inbox);
    if (!closed) {
      closed = true;
      LocalRegions.leave(loop);
    }
  }

  private static final class LocalChannel extends KnownRegions implements Channel {
    private final Peer peer;
    private final AccessMark mark;

    /**
     * A channel.
     *
     * @param peer null if there is none
     */
    LocalChannel(Peer peer, AccessMark mark) {
      this.peer = peer;
      this.mark = mark;
    }

    @Override
    public DirectMemory directMemory() {
      return peer == null ? null : this;
    }

    @Override
    protected DirectRegion open(long generation) {
      return LocalRegions.find(generation, mark);
    }

    @Override
    protected boolean isClosed() {
      LocalInbox inbox = peer.inbox;
      return inbox == null || inbox.isClosed() || inbox.asksForAccesses();
    }

    /** The peer has ended: nothing of it is kept. */
    void end() {
      forget();
    }

    @Override
    public boolean offer(Packet packet) {
      LocalInbox inbox = open();
      if (inbox != null) {
        packet.retain();
        inbox.offer(packet, peer.isOwn);
      }
      return true;
    }

    @Override
    public boolean inject(long flow, MessageView message) {
      LocalInbox inbox = open();
      return inbox != null && inbox.inject(flow, message, peer.isOwn);
    }

    /** Where somebody will read what is sent; null if nobody will. */
    private LocalInbox open() {
      LocalInbox inbox = peer == null ? null : peer.inbox;
      return inbox == null || inbox.isClosed() ? null : inbox;
    }

    @Override
    public String closedBecause() {
      return peer == null || peer.inbox == null ? "the peer's endpoint is closed" : null;
    }
  }
}
