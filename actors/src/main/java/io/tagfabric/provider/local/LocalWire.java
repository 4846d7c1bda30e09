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
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
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
  private final Runnable peerClosed;
  private final Set<LocalInbox> peers = new LinkedHashSet<>();
  private final AccessMark mark;
  private boolean closed;

  LocalWire(WireContext context) {
    vm = context.vm();
    identity = new Identity(context.incarnation(), context.endpoint());
    loop = context.loop();
    inbox = new LocalInbox(loop, context.listener());
    WireListener listener = context.listener();
    peerClosed = () -> loop.execute(() -> forgetClosed(listener));
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

  /** A peer has closed: the listener looks which channel that was. Thread: the loop. */
  private void forgetClosed(WireListener listener) {
    peers.removeIf(LocalInbox::isClosed);
    if (!inbox.isClosed()) {
      listener.onChannelClosed();
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
    if (there != null && peers.add(there)) {
      there.connected(peerClosed);
    }
    return new LocalChannel(there, there != null && there.isOf(loop), mark);
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
    peers.forEach(peer -> peer.disconnected(peerClosed));
    peers.clear();
    inbox.close();
    EXCHANGE.remove(identity, inbox);
    if (!closed) {
      closed = true;
      LocalRegions.leave(loop);
    }
  }

  private static final class LocalChannel extends KnownRegions implements Channel {
    private final LocalInbox peer;
    private final boolean isOwn;
    private final AccessMark mark;

    LocalChannel(LocalInbox peer, boolean isOwn, AccessMark mark) {
      this.peer = peer;
      this.isOwn = isOwn;
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
      return peer.isClosed() || peer.asksForAccesses();
    }

    @Override
    public boolean offer(Packet packet) {
      if (closedBecause() == null) {
        packet.retain();
        peer.offer(packet, isOwn);
      }
      return true;
    }

    @Override
    public boolean inject(long flow, MessageView message) {
      return peer != null && !peer.isClosed() && peer.inject(flow, message, isOwn);
    }

    @Override
    public String closedBecause() {
      return peer == null || peer.isClosed() ? "the peer's endpoint is closed" : null;
    }
  }
}
