package io.tagfabric.provider.tcp;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.error.FabricError;
import io.tagfabric.provider.Channel;
import io.tagfabric.provider.SharedMemory;
import io.tagfabric.provider.Wire;
import io.tagfabric.provider.WireListener;
import io.tagfabric.provider.tcp.Proof.NodeId;
import io.tagfabric.wire.MessageView;
import io.tagfabric.wire.Packet;
import java.util.Optional;

/** One endpoint's place at its domain's node. Its address is the node's. */
final class TcpWire implements Wire {
  private final TcpNode node;
  private final int endpoint;
  private final int paths;
  private boolean closed;

  TcpWire(TcpNode node, int endpoint, WireListener listener, int paths) {
    this.node = node;
    this.endpoint = endpoint;
    this.paths = Math.min(paths, TcpAddress.MOST_PATHS);
    node.add(endpoint, listener);
  }

  @Override
  public String address() {
    return node.address().withPaths(paths).encode();
  }

  @Override
  public Optional<String> unreachableBecause(EndpointAddress peer) {
    return addressOf(peer)
        .map(at -> node.peers().unreachableBecause(idOf(peer, at), at))
        .orElseGet(
            () ->
                Optional.of(
                    "["
                        + peer.providers().get(TcpAddress.PROVIDER)
                        + "] is no address of version "
                        + TcpAddress.VERSION));
  }

  @Override
  public boolean isOpen(EndpointAddress peer) {
    return addressOf(peer).map(at -> node.isOpen(idOf(peer, at))).orElse(false);
  }

  @Override
  public boolean prepares(EndpointAddress asker) {
    return addressOf(asker).map(at -> node.prepare(idOf(asker, at), at)).orElse(false);
  }

  @Override
  public Channel connect(EndpointAddress peer) {
    return connect(peer, 0);
  }

  @Override
  public int paths(EndpointAddress peer) {
    TcpAddress at = addressOf(peer).orElseThrow();
    return node.isHost(idOf(peer, at)) ? 1 : Math.min(paths, at.paths());
  }

  @Override
  public Channel connect(EndpointAddress peer, int path) {
    TcpAddress at = addressOf(peer).orElseThrow();
    NodeId id = new NodeId(peer.incarnation(), at.token(path));
    return new TcpChannel(node.peers().at(id, at), peer.endpoint());
  }

  private static Optional<TcpAddress> addressOf(EndpointAddress peer) {
    String text = peer.providers().get(TcpAddress.PROVIDER);
    return text == null ? Optional.empty() : TcpAddress.parse(text);
  }

  private static NodeId idOf(EndpointAddress peer, TcpAddress at) {
    return new NodeId(peer.incarnation(), at.token());
  }

  @Override
  public boolean gathers() {
    return false;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      node.remove(endpoint);
    }
  }

  private final class TcpChannel implements Channel {
    private final TcpPeer peer;
    private final TcpTraffic traffic;
    private final int receiver;

    /** Position in the peer's stream behind what this channel has offered. */
    private long end;

    TcpChannel(TcpPeer peer, int receiver) {
      this.peer = peer;
      traffic = peer.traffic();
      this.receiver = receiver;
    }

    @Override
    public boolean offer(Packet packet) {
      return closed || noted(traffic.offer(receiver, packet));
    }

    @Override
    public boolean inject(long flow, MessageView message) {
      return !closed && noted(traffic.inject(receiver, flow, message));
    }

    @Override
    public boolean offerFrames(long flow, Packet packet) {
      return !closed && noted(traffic.offerFrames(receiver, flow, packet));
    }

    private boolean noted(boolean taken) {
      if (taken) {
        end = traffic.end();
      }
      return taken;
    }

    @Override
    public Packet largePacket() {
      return closed || peer.isClosed() ? null : node.chunks().takeLarge().packet();
    }

    @Override
    public SharedMemory sharedMemory() {
      return traffic.memory();
    }

    @Override
    public boolean isOpen() {
      return peer.isOpen();
    }

    @Override
    public boolean isDrained() {
      return closed || traffic.isDrained(end);
    }

    @Override
    public String closedBecause() {
      return closed ? "this endpoint is closed" : peer.closedBecause();
    }

    @Override
    public FabricError closedWith() {
      return closed ? FabricError.SHUTDOWN : peer.closedWith();
    }
  }
}
