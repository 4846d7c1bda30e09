package io.tagfabric.actor;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorRefResolver;
import akka.actor.typed.Behavior;
import akka.actor.typed.Props;
import akka.actor.typed.javadsl.Behaviors;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.support.Await;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What holds for references to actors of another system, be they Akka's own or twins. */
class RefContractTest extends TwoSystems {
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
    FabricActors.Counters counters = nearActors.counters();
    assertThat(counters.sent() + counters.byArtery()).isEqualTo(kind == Kind.ARTERY ? 0 : 200);
    assertThat(kind == Kind.TWINS && counters.byArtery() > 0).isFalse();
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

    probe.expectTerminated(ref, LONG.multipliedBy(3)); // Akka takes 16 s
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

  /** Tells of the ends of those that it watches, after it has unwatched one. */
  private void watchButOne(ActorRef<String> one, ActorRef<String> other, TestProbe<String> ends) {
    near.systemActorOf(
        Behaviors.setup(
            context -> {
              context.watch(one);
              context.watch(other);
              context.unwatch(one);
              one.tell("stop");
              other.tell("stop");
              return Behaviors.receive(Object.class)
                  .onSignal(
                      akka.actor.typed.Terminated.class,
                      ended -> {
                        ends.getRef().tell(ended.getRef().path().name());
                        return Behaviors.same();
                      })
                  .build();
            }),
        "watcher",
        Props.empty());
  }

  @ParameterizedTest
  @EnumSource
  void shouldTellNoMoreOfWhatIsUnwatched(Kind kind) {
    TestProbe<String> ends = TestProbe.create(near);
    Behavior<String> mortal = Behaviors.receiveMessage(text -> Behaviors.stopped());
    ActorRef<String> one = reach(kind, spawnFar(mortal, "one"));
    ActorRef<String> found = artery(spawnFar(mortal, "other"));
    ActorRef<String> other = kind == Kind.ARTERY ? found : nearActors.ref(found);

    watchButOne(one, other, ends);

    ends.expectMessage(LONG, "other");
    ends.expectNoMessage();
  }
}
