package io.tagfabric.provider.artery;

import akka.actor.ActorIdentity;
import akka.actor.Identify;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorRefResolver;
import akka.actor.typed.javadsl.Adapter;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.error.FabricError;
import io.tagfabric.provider.Channel;
import io.tagfabric.provider.Wire;
import io.tagfabric.provider.WireContext;
import io.tagfabric.provider.WireListener;
import io.tagfabric.runtime.RandomSource;
import io.tagfabric.wire.Packet;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
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
  private final WireListener listener;
  private final RandomSource random;

  /** Channels that inquire for their peers, as long as somebody has them. */
  private final Set<ArteryChannel> inquiring = Collections.newSetFromMap(new WeakHashMap<>());

  private final List<ActorRef<Packet>> receivers;
  private final String address;
  private volatile boolean closed;

  ArteryWire(WireContext context) {
    resolver = ActorRefResolver.get(context.actors().orElseThrow().system());
    listener = context.listener();
    random = context.random();
    receivers =
        PacketReceiver.spawn(context.actors().get(), listener, this::onIdentity, context.paths());
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
    return new ArteryChannel(
        resolver.resolveActorRef(addressesOf(peer)[path]), receivers.get(path));
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
    inquiring.clear();
  }

  /** A node has answered; what its receiver had sent to that of this side has come before. */
  private void onIdentity(ActorIdentity identity) {
    boolean isThere = identity.getActorRef().isPresent();
    for (ArteryChannel channel : inquiring) {
      if (!isThere && identity.correlationId().equals(channel.question)) {
        channel.gone = true;
        listener.onChannelClosed();
      }
    }
  }

  private final class ArteryChannel implements Channel {
    private final ActorRef<Packet> peer;
    private final ActorRef<Packet> receiver;
    private long question;
    private boolean gone;

    /**
     * A channel to a receiver of the peer.
     *
     * @param receiver takes what comes from there
     */
    ArteryChannel(ActorRef<Packet> peer, ActorRef<Packet> receiver) {
      this.peer = peer;
      this.receiver = receiver;
    }

    @Override
    public boolean offer(Packet packet) {
      packet.retain();
      peer.tell(packet);
      return true;
    }

    /**
     * Asks Akka whether the peer's receiver is there: it ends with its domain and never comes back,
     * so there is no other reason for an answer that it is not. A question may be lost, or be the
     * second; each has the same number, which nobody can guess.
     */
    @Override
    public void inquire() {
      while (question == 0) {
        question = random.nextLong();
      }
      inquiring.add(this);
      Adapter.toClassic(peer).tell(new Identify(question), Adapter.toClassic(receiver));
    }

    @Override
    public String closedBecause() {
      if (gone) {
        return "its domain is closed or its process has ended, and no goodbye has come";
      }
      return closed ? "this endpoint is closed" : null;
    }

    @Override
    public FabricError closedWith() {
      return gone ? FabricError.CONNECTION_RESET : FabricError.SHUTDOWN;
    }
  }
}
