package io.tagfabric.simulation.remote;

import akka.actor.ActorPath;
import akka.actor.ActorRef;
import akka.actor.ActorSelection$;
import akka.actor.ActorSelectionMessage;
import akka.actor.ExtendedActorSystem;
import akka.actor.InternalActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Adapter;
import akka.serialization.Serialization;
import akka.serialization.SerializationExtension;
import akka.serialization.Serializer;
import akka.serialization.Serializers;
import io.tagfabric.simulation.world.Scheduler;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Carries messages between simulated systems as Artery does: those of one system to one actor of
 * another keep their order, those to different actors may overtake one another, and what comes for
 * a system that has ended goes to the one that is in its place. Nothing is lost while the system is
 * there. Thread: the simulation's.
 */
public final class SimulatedRemoting {
  private static final long LATENCY_NS = TimeUnit.MICROSECONDS.toNanos(50);
  private static final int JITTER_US = 500;

  /** From a system, which is the one of its place only for a while, to an actor or selections. */
  private record Lane(RemoteProvider from, String to) {}

  private static final class Way {
    private final long lagNs;
    private long lastNs;

    Way(long lagNs) {
      this.lagNs = lagNs;
    }
  }

  private final Scheduler scheduler;
  private final LongSupplier lagNs;
  private final Map<String, Host> hosts = new HashMap<>();
  private final Map<Lane, Way> ways = new HashMap<>();

  /** A system at its place. */
  private record Host(ActorSystem<?> system, Runnable touch) {}

  /**
   * A remoting of one run.
   *
   * @param lagNs draws how much later than soon all messages from a system to an actor arrive
   */
  public SimulatedRemoting(Scheduler scheduler, LongSupplier lagNs) {
    this.scheduler = scheduler;
    this.lagNs = lagNs;
  }

  /**
   * A system has started at its address.
   *
   * @param touch called when something has come for one of its actors
   */
  public void begin(ActorSystem<?> system, Runnable touch) {
    hosts.put(addressOf(system), new Host(system, touch));
  }

  /** It has ended: nothing comes to it any more, what it has told arrives. */
  public void end(ActorSystem<?> system) {
    hosts.computeIfPresent(
        addressOf(system), (address, host) -> host.system == system ? null : host);
  }

  private static String addressOf(ActorSystem<?> system) {
    return classic(system).provider().getDefaultAddress().toString();
  }

  private static ExtendedActorSystem classic(ActorSystem<?> system) {
    return (ExtendedActorSystem) Adapter.toClassic(system);
  }

  void tell(RemoteProvider from, ActorPath to, Object message, ActorRef sender) {
    Serialization here = SerializationExtension.get(from.system());
    Serializer serializer = here.findSerializerFor(message);
    byte[] bytes = here.serialize(message).get();
    String manifest = Serializers.manifestFor(serializer, message);
    String senderText =
        sender == null
            ? null
            : sender.path().toSerializationFormatWithAddress(from.getDefaultAddress());
    String text = to.toSerializationFormat();
    Way way = ways.computeIfAbsent(new Lane(from, text), lane -> new Way(lagNs.getAsLong()));
    long jitterNs = TimeUnit.MICROSECONDS.toNanos(scheduler.choices().below(JITTER_US));
    long nowNs = scheduler.clock().nanoTime();
    long atNs = Math.max(way.lastNs + 1, nowNs + LATENCY_NS + way.lagNs + jitterNs);
    way.lastNs = atNs;
    String address = to.address().toString();
    scheduler.at(
        atNs, () -> deliver(address, text, bytes, serializer.identifier(), manifest, senderText));
  }

  private void deliver(
      String address, String to, byte[] bytes, int serializer, String manifest, String sender) {
    Host host = hosts.get(address);
    if (host == null) {
      return;
    }
    ExtendedActorSystem system = classic(host.system);
    Object message =
        SerializationExtension.get(system).deserialize(bytes, serializer, manifest).get();
    ActorRef from =
        sender == null ? ActorRef.noSender() : system.provider().resolveActorRef(sender);
    if (message instanceof ActorSelectionMessage selected) {
      ActorSelection$.MODULE$.deliverSelection(system.provider().rootGuardian(), from, selected);
    } else {
      ((InternalActorRef) system.provider().resolveActorRef(to)).tell(message, from);
    }
    host.touch.run();
  }
}
