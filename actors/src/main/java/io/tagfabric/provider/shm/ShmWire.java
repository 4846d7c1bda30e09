package io.tagfabric.provider.shm;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.error.FabricError;
import io.tagfabric.provider.Channel;
import io.tagfabric.provider.DirectMemory;
import io.tagfabric.provider.DirectRegion;
import io.tagfabric.provider.SharedMemory;
import io.tagfabric.provider.Wire;
import io.tagfabric.provider.WireListener;
import io.tagfabric.wire.MessageView;
import io.tagfabric.wire.Packet;
import java.util.Optional;

/**
 * One endpoint's place in its domain's ring. Its address is the ring's file and a token that tells
 * it from an earlier file of the same name.
 */
final class ShmWire implements Wire {
  private final ShmDomain domain;
  private final int endpoint;
  private boolean closed;

  ShmWire(ShmDomain domain, int endpoint, WireListener listener) {
    this.domain = domain;
    this.endpoint = endpoint;
    domain.add(endpoint, listener);
  }

  @Override
  public String address() {
    return domain.address();
  }

  @Override
  public Optional<String> unreachableBecause(EndpointAddress peer) {
    return domain.broken() == null
        ? domain.peers().unreachableBecause(peer.providers().get(ShmSettings.NAME))
        : Optional.of(domain.broken());
  }

  @Override
  public Channel connect(EndpointAddress peer) {
    return new ShmChannel(
        domain.peers().at(peer.providers().get(ShmSettings.NAME)),
        ShmArrivals.typeOf(peer.endpoint()));
  }

  @Override
  public void closeToDirectAccess() {
    domain.askForAccesses();
  }

  @Override
  public boolean gathers() {
    return false;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      domain.remove(endpoint);
    }
  }

  private final class ShmChannel implements Channel, DirectMemory {
    private final ShmPeer peer;
    private final int type;
    private final ShmDirectMemory direct;

    ShmChannel(ShmPeer peer, int type) {
      this.peer = peer;
      this.type = type;
      direct = domain.directMemory(peer);
    }

    @Override
    public boolean offer(Packet packet) {
      return closed || domain.offer(peer, type, packet);
    }

    @Override
    public boolean inject(long flow, MessageView message) {
      return !closed && domain.inject(peer, type, flow, message);
    }

    @Override
    public boolean offerFrames(long flow, Packet packet) {
      return !closed && domain.offerFrames(peer, type, flow, packet);
    }

    @Override
    public Packet largePacket() {
      return closed ? null : domain.largePacket(peer);
    }

    @Override
    public SharedMemory sharedMemory() {
      return peer.sharedMemory();
    }

    @Override
    public DirectMemory directMemory() {
      return direct == null ? null : this;
    }

    @Override
    public DirectRegion find(long key, long generation) {
      return closed || peer.asksForAccesses() ? null : direct.find(key, generation);
    }

    @Override
    public String closedBecause() {
      if (closed) {
        return "this endpoint is closed";
      }
      return domain.broken() == null ? peer.gone() : domain.broken();
    }

    @Override
    public FabricError closedWith() {
      return domain.broken() == null ? peer.goneWith() : FabricError.IO;
    }
  }
}
