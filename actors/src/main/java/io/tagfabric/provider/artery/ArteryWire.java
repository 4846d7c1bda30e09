package io.tagfabric.provider.artery;

import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorRefResolver;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.provider.Channel;
import io.tagfabric.provider.Wire;
import io.tagfabric.provider.WireContext;
import io.tagfabric.wire.FrameBatch;
import java.util.Optional;

/** One endpoint's way over Artery: its address is its actor's path, uid included. */
final class ArteryWire implements Wire {
  private final ActorRefResolver resolver;
  private final String address;
  private volatile boolean closed;

  ArteryWire(WireContext context) {
    resolver = ActorRefResolver.get(context.system());
    address = resolver.toSerializationFormat(context.inbox());
  }

  @Override
  public String address() {
    return address;
  }

  @Override
  public Optional<String> unreachableBecause(EndpointAddress peer) {
    return peer.providers().containsKey("artery")
        ? Optional.empty()
        : Optional.of(peer + " offers no artery");
  }

  @Override
  public Channel connect(EndpointAddress peer) {
    // Resolved once: the reference caches association and queue, a fresh one would look them up.
    return new ArteryChannel(resolver.resolveActorRef(peer.providers().get("artery")));
  }

  @Override
  public void close() {
    closed = true;
  }

  private final class ArteryChannel implements Channel {
    private final ActorRef<Object> peer;

    ArteryChannel(ActorRef<Object> peer) {
      this.peer = peer;
    }

    @Override
    public boolean offer(FrameBatch packet) {
      packet.retain();
      peer.tell(packet);
      return true;
    }

    @Override
    public String closedBecause() {
      return closed ? "this endpoint is closed" : null;
    }
  }
}
