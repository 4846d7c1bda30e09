package io.tagfabric.provider.local;

import akka.actor.typed.ActorRef;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.provider.Channel;
import io.tagfabric.provider.Wire;
import io.tagfabric.provider.WireContext;
import io.tagfabric.wire.FrameBatch;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * One endpoint's place in the JVM-wide exchange. A channel holds the peer's inbox itself; a packet
 * is one tell.
 */
final class LocalWire implements Wire {
  private record Identity(long incarnation, int endpoint) {}

  /** Inbox of an endpoint; closed is set before it leaves the exchange. */
  private static final class Inbox {
    final ActorRef<Object> ref;
    volatile boolean closed;

    Inbox(ActorRef<Object> ref) {
      this.ref = ref;
    }
  }

  private static final ConcurrentMap<Identity, Inbox> EXCHANGE = new ConcurrentHashMap<>();

  private final String vm;
  private final Identity identity;
  private final Inbox inbox;

  LocalWire(WireContext context) {
    vm = context.vm();
    identity = new Identity(context.incarnation(), context.endpoint());
    inbox = new Inbox(context.inbox());
    if (EXCHANGE.putIfAbsent(identity, inbox) != null) {
      throw new IllegalStateException(
          "endpoint="
              + context.endpoint()
              + " of incarnation="
              + context.incarnation()
              + " is open already");
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
    return new LocalChannel(EXCHANGE.get(new Identity(peer.incarnation(), peer.endpoint())));
  }

  @Override
  public void close() {
    inbox.closed = true;
    EXCHANGE.remove(identity, inbox);
  }

  private record LocalChannel(Inbox peer) implements Channel {
    @Override
    public boolean offer(FrameBatch packet) {
      if (closedBecause() == null) {
        packet.retain();
        peer.ref.tell(packet);
      }
      return true;
    }

    @Override
    public String closedBecause() {
      return peer == null || peer.closed ? "the peer's endpoint is closed" : null;
    }
  }
}
