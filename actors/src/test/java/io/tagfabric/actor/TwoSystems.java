package io.tagfabric.actor;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.DeadLetter;
import akka.actor.Dropped;
import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorRefResolver;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.Props;
import akka.actor.typed.eventstream.EventStream;
import akka.actor.typed.javadsl.Adapter;
import io.tagfabric.support.Await;
import io.tagfabric.support.RemoteSystems;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Two ActorSystems that meet over Artery, and whose references may go over the fabric. */
abstract class TwoSystems {
  /** Whose references. */
  enum Kind {
    ARTERY,
    TWINS,
    /** Twins that speak before their node is known as a peer. */
    MOVING
  }

  static final Duration LONG = Duration.ofSeconds(20);
  static final int LONG_LENGTH = 300_000;

  final RemoteSystems systems = new RemoteSystems();
  ActorSystem<Void> near;
  ActorSystem<Void> far;
  String config;
  FabricActors nearActors;
  FabricActors farActors;

  /** By which the fabric carries messages. */
  String provider() {
    return "shm";
  }

  /** More settings of both systems. */
  String settings() {
    return "";
  }

  @BeforeEach
  void start() {
    config =
        "tagfabric.job.key = \""
            + UUID.randomUUID()
            + "\"\ntagfabric.provider.use = ["
            + provider()
            + "]\n"
            + "tagfabric.endpoint.max-message-size = 1 MiB\n"
            + "akka.remote.use-unsafe-remote-features-outside-cluster = on\n"
            + "akka.remote.artery.advanced.maximum-frame-size = 1 MiB\n"
            + settings();
    near = systems.start("near", config);
    far = systems.start("far", config);
    nearActors = FabricActors.get(near);
    farActors = FabricActors.get(far);
  }

  @AfterEach
  void stop() {
    systems.close();
  }

  String at(String name) {
    return "far@" + RemoteSystems.placeOf(far) + "/" + name;
  }

  <T> ActorRef<T> spawnFar(Behavior<T> behavior, String name) {
    return far.systemActorOf(behavior, name, Props.empty());
  }

  <T> ActorRef<T> artery(ActorRef<T> ref) {
    return ActorRefResolver.get(near)
        .resolveActorRef(ActorRefResolver.get(far).toSerializationFormat(ref));
  }

  ActorRef<String> reach(Kind kind, ActorRef<String> ref) {
    if (kind == Kind.MOVING) {
      return nearActors.ref(artery(ref));
    }
    Await.get(farActors.expose("target", ref, String.class));
    return kind == Kind.ARTERY
        ? artery(ref)
        : Await.get(nearActors.ref(at("target"), String.class, LONG));
  }

  static void receive(TestProbe<String> probe, List<String> messages) {
    messages.forEach(each -> assertThat(probe.receiveMessage(LONG)).isEqualTo(each));
  }

  /** What a system publishes from now on, behind a first one. */
  static <T> TestProbe<T> published(ActorSystem<?> system, Class<T> type, T first) {
    TestProbe<T> probe = TestProbe.create(system);
    system.eventStream().tell(new EventStream.Subscribe<>(type, probe.getRef()));
    system.eventStream().tell(new EventStream.Publish<>(first)); // when it comes, all do
    probe.expectMessage(LONG, first);
    return probe;
  }

  static TestProbe<Dropped> dropped(ActorSystem<?> system) {
    akka.actor.ActorRef nobody = Adapter.toClassic(system).deadLetters();
    return published(system, Dropped.class, new Dropped("first", "", nobody, nobody));
  }

  static TestProbe<DeadLetter> deadLetters(ActorSystem<?> system) {
    akka.actor.ActorRef nobody = Adapter.toClassic(system).deadLetters();
    return published(system, DeadLetter.class, new DeadLetter("first", nobody, nobody));
  }
}
