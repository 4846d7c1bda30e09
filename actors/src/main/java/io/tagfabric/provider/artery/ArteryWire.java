package io.tagfabric.provider.artery;

import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorRefResolver;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.provider.Channel;
import io.tagfabric.provider.Wire;
import io.tagfabric.provider.WireContext;
import io.tagfabric.wire.Packet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * One endpoint's way over Artery: its address is the path of its {@link PacketReceiver}, uid
 * included.
 *
 * <p>Artery chooses the lane, which is a stream of its own, by the uid of the receiving actor. So
 * for each further path there is one more whose uid falls on another lane.
 */
final class ArteryWire implements Wire {
  private static final String SEPARATOR = ",";

  private final ActorRefResolver resolver;
  private final List<ActorRef<Packet>> receivers;
  private final String address;
  private volatile boolean closed;

  ArteryWire(WireContext context) {
    resolver = ActorRefResolver.get(context.actors().orElseThrow().system());
    receivers = PacketReceiver.spawn(context.actors().get(), context.listener(), context.paths());
    address =
        receivers.stream()
            .map(resolver::toSerializationFormat)
            .collect(Collectors.joining(SEPARATOR));
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
  public int paths(EndpointAddress peer) {
    return Math.min(receivers.size(), addressesOf(peer).length);
  }

  @Override
  public Channel connect(EndpointAddress peer) {
    return connect(peer, 0);
  }

  @Override
  public Channel connect(EndpointAddress peer, int path) {
    // Resolved once: the reference caches association and queue, a fresh one would look them up.
    return new ArteryChannel(resolver.resolveActorRef(addressesOf(peer)[path]));
  }

  private static String[] addressesOf(EndpointAddress peer) {
    return peer.providers().get("artery").split(SEPARATOR, -1);
  }

  /** Its receivers stay until the domain ends: the endpoint refuses peers that ask for it. */
  @Override
  public boolean gathers() {
    return false;
  }

  @Override
  public void close() {
    closed = true;
  }

  private final class ArteryChannel implements Channel {
    private final ActorRef<Packet> peer;

    ArteryChannel(ActorRef<Packet> peer) {
      this.peer = peer;
    }

    @Override
    public boolean offer(Packet packet) {
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
