package io.tagfabric.actor;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.Dropped;
import akka.actor.PoisonPill;
import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorRefResolver;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.Props;
import akka.actor.typed.eventstream.EventStream;
import akka.actor.typed.javadsl.Adapter;
import akka.actor.typed.javadsl.Behaviors;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.support.Await;
import io.tagfabric.support.RemoteSystems;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What holds for references to actors of another system, be they Akka's own or twins. */
class RefContractTest {
  /** Whose references. */
  enum Kind {
    ARTERY,
    TWINS
  }

  private static final Duration LONG = Duration.ofSeconds(20);
  private static final int LONG_LENGTH = 300_000;

  private final RemoteSystems systems = new RemoteSystems();
  private ActorSystem<Void> near;
  private ActorSystem<Void> far;
  private FabricActors nearActors;
  private FabricActors farActors;

  @BeforeEach
  void start() {
    String config =
        "tagfabric.job.key = \""
            + UUID.randomUUID()
            + "\"\ntagfabric.provider.use = [shm]\n"
            + "tagfabric.endpoint.max-message-size = 1 MiB\n"
            + "akka.remote.use-unsafe-remote-features-outside-cluster = on\n"
            + "akka.remote.artery.advanced.maximum-frame-size = 1 MiB\n";
    near = systems.start("near", config);
    far = systems.start("far", config);
    nearActors = FabricActors.get(near);
    farActors = FabricActors.get(far);
  }

  @AfterEach
  void stop() {
    systems.close();
  }

  private String at(String name) {
    return "far@" + RemoteSystems.placeOf(far) + "/" + name;
  }

  private <T> ActorRef<T> spawnFar(Behavior<T> behavior, String name) {
    return far.systemActorOf(behavior, name, Props.empty());
  }

  private <T> ActorRef<T> artery(ActorRef<T> ref) {
    return ActorRefResolver.get(near)
        .resolveActorRef(ActorRefResolver.get(far).toSerializationFormat(ref));
  }

  private ActorRef<String> reach(Kind kind, ActorRef<String> ref) {
    Await.get(farActors.expose("target", ref, String.class));
    return kind == Kind.ARTERY
        ? artery(ref)
        : Await.get(nearActors.ref(at("target"), String.class, LONG));
  }

  private static void receive(TestProbe<String> probe, List<String> messages) {
    messages.forEach(each -> assertThat(probe.receiveMessage(LONG)).isEqualTo(each));
  }

  @ParameterizedTest
  @EnumSource
  void shouldDeliverInOrderWhateverTheLengths(Kind kind) {
    TestProbe<String> probe = TestProbe.create(far);
    ActorRef<String> ref = reach(kind, probe.getRef());

    List<String> messages =
        IntStream.range(0, 200)
            .mapToObj(i -> i % 50 == 7 ? i + "-" + "x".repeat(LONG_LENGTH) : "short " + i)
            .toList();
    messages.forEach(ref::tell);

    receive(probe, messages);
    assertThat(nearActors.counters().sent()).isEqualTo(kind == Kind.TWINS ? 200 : 0);
    assertThat(nearActors.counters().byArtery()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void shouldTellAWatcherOfTheEndBehindTheLastMessage(Kind kind) {
    TestProbe<String> events = TestProbe.create(near);
    ActorRef<String> ref =
        reach(
            kind,
            spawnFar(
                Behaviors.receiveMessage(
                    text -> text.equals("stop") ? Behaviors.stopped() : Behaviors.same()),
                "mortal"));
    near.systemActorOf(
        Behaviors.setup(
            context -> {
              context.watch(ref);
              return Behaviors.receive(Object.class)
                  .onSignal(
                      akka.actor.typed.Terminated.class,
                      ended -> {
                        events.getRef().tell("ended " + ended.getRef().path().equals(ref.path()));
                        return Behaviors.same();
                      })
                  .build();
            }),
        "watcher",
        Props.empty());

    ref.tell("go on");
    ref.tell("stop");

    events.expectMessage(LONG, "ended true");
  }

  @ParameterizedTest
  @EnumSource
  void shouldTellAWatcherThatComesLateOfAnActorThatHasEnded(Kind kind) {
    TestProbe<String> probe = TestProbe.create(near);
    ActorRef<String> mortal = spawnFar(Behaviors.receiveMessage(t -> Behaviors.stopped()), "m");
    ActorRef<String> ref = reach(kind, mortal);
    TestProbe<Object> ended = TestProbe.create(far);
    ref.tell("stop");
    ended.expectTerminated(mortal, LONG);

    probe.expectTerminated(ref, LONG);
  }

  @ParameterizedTest
  @EnumSource
  void shouldTellWatchersWhenTheOtherSystemEnds(Kind kind) {
    TestProbe<String> probe = TestProbe.create(near);
    TestProbe<String> target = TestProbe.create(far);
    ActorRef<String> ref = reach(kind, target.getRef());
    ref.tell("hello");
    target.expectMessage(LONG, "hello");

    systems.stop(far);

    probe.expectTerminated(ref, LONG);
  }

  @Test
  void shouldEqualAkkasOwnReference() {
    TestProbe<String> probe = TestProbe.create(far);
    ActorRef<String> twin = reach(Kind.TWINS, probe.getRef());
    ActorRef<String> own = artery(probe.getRef());

    assertThat(twin).isEqualTo(own).hasSameHashCodeAs(own);
    assertThat(own).isEqualTo(twin);
    assertThat(twin.compareTo((ActorRef<?>) own)).isZero();
    ActorRefResolver resolver = ActorRefResolver.get(near);
    assertThat(resolver.toSerializationFormat(twin)).isEqualTo(resolver.toSerializationFormat(own));
    assertThat(nearActors.ref(twin)).isSameAs(twin);
  }

  @Test
  void shouldGiveTheReferenceItselfInOneSystem() {
    TestProbe<String> probe = TestProbe.create(near);
    Await.get(nearActors.expose("own", probe.getRef(), String.class));

    assertThat(Await.get(nearActors.ref("own", String.class))).isEqualTo(probe.getRef());
    assertThat(nearActors.ref(probe.getRef())).isSameAs(probe.getRef());
  }

  @Test
  void shouldNameBothClassesWhenAnotherOneIsAskedFor() {
    reach(Kind.TWINS, TestProbe.<String>create(far).getRef());

    assertThat(Await.failure(nearActors.ref(at("target"), Integer.class, LONG)))
        .isInstanceOfSatisfying(
            FabricException.class, e -> assertThat(e.error()).isEqualTo(FabricError.INVALID))
        .hasMessageContaining("java.lang.String")
        .hasMessageContaining("java.lang.Integer");
  }

  @Test
  void shouldFailInTimeWhenNoActorHasTheName() {
    reach(Kind.TWINS, TestProbe.<String>create(far).getRef());
    Await.get(nearActors.ref(at("target"), String.class, LONG));

    assertThat(Await.failure(nearActors.ref(at("none"), String.class, Duration.ofSeconds(1))))
        .isInstanceOfSatisfying(
            FabricException.class, e -> assertThat(e.error()).isEqualTo(FabricError.NO_ENTRY))
        .hasMessageContaining("/none]");
  }

  @Test
  void shouldRefuseASecondActorOfAName() {
    reach(Kind.TWINS, TestProbe.<String>create(far).getRef());
    TestProbe<String> second = TestProbe.create(far);

    assertThat(Await.failure(farActors.expose("target", second.getRef(), String.class)))
        .hasMessageContaining("[target]");
  }

  @Test
  void shouldDropAndCountWhatEndsActors() {
    TestProbe<String> probe = TestProbe.create(far);
    ActorRef<String> ref = reach(Kind.TWINS, probe.getRef());

    Adapter.toClassic(ref).tell(PoisonPill.getInstance(), akka.actor.ActorRef.noSender());
    ref.tell("alive");

    probe.expectMessage(LONG, "alive");
    assertThat(farActors.counters().harmful()).isEqualTo(1);
  }

  @Test
  void shouldDropAMessageThatCannotBeWrittenAndSayItsClass() {
    TestProbe<String> probe = TestProbe.create(far);
    ActorRef<String> ref = reach(Kind.TWINS, probe.getRef());
    TestProbe<Dropped> dropped = TestProbe.create(near);
    near.eventStream().tell(new EventStream.Subscribe<>(Dropped.class, dropped.getRef()));

    Adapter.toClassic(ref).tell(new Object(), akka.actor.ActorRef.noSender());
    ref.tell(
        "x"
            .repeat(
                near.settings()
                    .config()
                    .getBytes("tagfabric.endpoint.max-message-size")
                    .intValue()));
    ref.tell("next");

    probe.expectMessage(LONG, "next");
    assertThat(dropped.receiveMessage(LONG).reason()).contains("java.lang.Object");
    assertThat(dropped.receiveMessage(LONG).reason()).contains("max-message-size");
    assertThat(nearActors.counters().unwritable()).isEqualTo(2);
  }

  @Test
  void shouldUseAkkasRemotingForAnActorThatIsNotExposed() {
    TestProbe<String> exposed = TestProbe.create(far);
    reach(Kind.TWINS, exposed.getRef());
    TestProbe<String> hidden = TestProbe.create(far);
    ActorRef<String> ref = nearActors.ref(artery(hidden.getRef()));

    ref.tell("first");
    ref.tell("second");

    receive(hidden, List.of("first", "second"));
    assertThat(nearActors.counters().refused()).isEqualTo(1);
    assertThat(nearActors.counters().byArtery()).isEqualTo(2);
  }
}
