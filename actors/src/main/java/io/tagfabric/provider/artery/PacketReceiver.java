package io.tagfabric.provider.artery;

import akka.actor.ActorIdentity;
import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.Terminated;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Adapter;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import io.tagfabric.provider.WireActors;
import io.tagfabric.provider.WireListener;
import io.tagfabric.wire.Packet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Takes the packets of one path, on the domain's loop, and hands them to the endpoint by the call
 * by which all wires do. It outlives its endpoint, to tell peers that ask later that it is closed,
 * and ends with the domain.
 */
final class PacketReceiver extends AbstractBehavior<Object> {
  private static final AtomicLong NUMBER = new AtomicLong();

  /** With 8 paths 22 actors are needed on average; this many are never. */
  private static final int MAX_ATTEMPTS = 1000;

  private final WireListener listener;
  private final Consumer<ActorIdentity> identities;

  private PacketReceiver(
      ActorContext<Object> context,
      WireListener listener,
      Consumer<ActorIdentity> identities,
      Optional<ActorRef<?>> owner) {
    super(context);
    this.listener = listener;
    this.identities = identities;
    owner.ifPresent(context::watch);
  }

  @Override
  public Receive<Object> createReceive() {
    return newReceiveBuilder()
        .onMessage(Packet.class, this::onPacket)
        .onMessage(ActorIdentity.class, this::onIdentity)
        .onSignal(Terminated.class, notUsed -> Behaviors.stopped())
        .build();
  }

  private Behavior<Object> onPacket(Packet packet) {
    listener.onPacket(packet);
    return this;
  }

  private Behavior<Object> onIdentity(ActorIdentity identity) {
    identities.accept(identity);
    return this;
  }

  /**
   * A receiver for each path. With as many lanes as paths, no two share a lane: Artery takes the
   * remainder of a receiver's random uid.
   *
   * @param identities takes what nodes say of receivers of theirs, behind the packets of these
   */
  static List<ActorRef<Packet>> spawn(
      WireActors actors, WireListener listener, Consumer<ActorIdentity> identities, int paths) {
    List<ActorRef<Packet>> receivers = new ArrayList<>();
    boolean[] taken = new boolean[paths];
    for (int i = 0; i < MAX_ATTEMPTS && receivers.size() < paths; i++) {
      ActorRef<Packet> receiver = spawnOne(actors, listener, identities);
      int lane = lane(receiver, paths);
      if (taken[lane]) {
        stop(actors, receiver);
      } else {
        taken[lane] = true;
        receivers.add(receiver);
      }
    }
    if (receivers.size() < paths) {
      receivers.forEach(receiver -> stop(actors, receiver));
      throw new IllegalStateException(
          "after " + MAX_ATTEMPTS + " actors lanes are empty still: " + Arrays.toString(taken));
    }
    return receivers;
  }

  private static ActorRef<Packet> spawnOne(
      WireActors actors, WireListener listener, Consumer<ActorIdentity> identities) {
    Behavior<Object> receiver =
        Behaviors.setup(
            context -> new PacketReceiver(context, listener, identities, actors.owner()));
    return actors
        .system()
        .systemActorOf(receiver, "tagfabric-receiver-" + NUMBER.incrementAndGet(), actors.props())
        .narrow();
  }

  private static void stop(WireActors actors, ActorRef<Packet> receiver) {
    Adapter.toClassic(actors.system()).stop(Adapter.toClassic(receiver));
  }

  /** The lane that a sender with so many lanes uses. */
  private static int lane(ActorRef<Packet> receiver, int lanes) {
    return Math.abs(receiver.path().uid() % lanes);
  }
}
