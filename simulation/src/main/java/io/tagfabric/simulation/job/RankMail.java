package io.tagfabric.simulation.job;

import akka.actor.ActorIdentity;
import akka.actor.Identify;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorRefResolver;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Adapter;
import akka.serialization.Serialization;
import akka.serialization.SerializationExtension;
import akka.serialization.SerializerWithStringManifest;
import io.tagfabric.runtime.Mail;
import io.tagfabric.simulation.network.SimulatedNetwork;
import io.tagfabric.simulation.world.Scheduler;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Mail between the actors of ranks: bytes that arrive in the order they were sent, or never where
 * the way is cut. References are told without the network. Thread: as all of a simulation.
 */
final class RankMail implements Mail {
  private static final long LATENCY_NS = TimeUnit.MICROSECONDS.toNanos(50);
  private static final int JITTER_US = 500;

  private final SimulatedRank rank;
  private final List<SimulatedRank> ranks;
  private final Scheduler scheduler;
  private final SimulatedNetwork network;
  private final long[] lastNs;

  RankMail(
      SimulatedRank rank,
      int size,
      List<SimulatedRank> ranks,
      Scheduler scheduler,
      SimulatedNetwork network) {
    this.rank = rank;
    this.ranks = ranks;
    this.scheduler = scheduler;
    this.network = network;
    lastNs = new long[size];
  }

  @Override
  public void tell(String node, String actor, Object message) {
    SimulatedRank there = at(node);
    ActorSystem<?> system = rank.system();
    if (there == null || system == null) {
      return;
    }
    Serialization here = SerializationExtension.get(Adapter.toClassic(system));
    if (!(here.findSerializerFor(message) instanceof SerializerWithStringManifest serializer)) {
      throw new IllegalStateException(message.getClass() + " has no serializer of Tagfabric");
    }
    byte[] bytes = serializer.toBinary(message);
    String manifest = serializer.manifest(message);
    send(
        there,
        actor,
        akka.actor.ActorRef.noSender(),
        into ->
            SerializationExtension.get(into)
                .deserialize(bytes, serializer.identifier(), manifest)
                .get());
  }

  @Override
  public void identify(String node, String actor, ActorRef<ActorIdentity> replyTo) {
    SimulatedRank there = at(node);
    if (there != null) {
      send(there, actor, Adapter.toClassic(replyTo), into -> new Identify(node));
    }
  }

  private void send(
      SimulatedRank there,
      String actor,
      akka.actor.ActorRef sender,
      Function<akka.actor.ActorSystem, Object> read) {
    long latencyNs =
        LATENCY_NS + TimeUnit.MICROSECONDS.toNanos(scheduler.choices().below(JITTER_US));
    long atNs = Math.max(lastNs[there.number()] + 1, scheduler.clock().nanoTime() + latencyNs);
    lastNs[there.number()] = atNs;
    scheduler.at(
        atNs,
        () -> {
          ActorSystem<?> system = there.system();
          boolean isCut = network.link(rank.number(), there.number()).isCut();
          if (!there.hasEnded() && system != null && !isCut) {
            akka.actor.ActorSystem classic = Adapter.toClassic(system);
            classic.actorSelection("/system/" + actor).tell(read.apply(classic), sender);
            there.touch();
          }
        });
  }

  private SimulatedRank at(String node) {
    return ranks.stream().filter(each -> each.address().equals(node)).findFirst().orElse(null);
  }

  @Override
  public String write(ActorRef<?> ref) {
    String local = ActorRefResolver.get(rank.system()).toSerializationFormat(ref);
    return rank.address() + local.substring(local.indexOf('/', local.indexOf("//") + 2));
  }

  @Override
  public ActorRef<?> read(String text) {
    int path = text.indexOf('/', text.indexOf("//") + 2);
    SimulatedRank there = at(text.substring(0, path));
    ActorSystem<?> system = there == null ? null : there.system();
    return system == null
        ? rank.system().deadLetters()
        : ActorRefResolver.get(system)
            .resolveActorRef("akka://" + system.name() + text.substring(path));
  }
}
