package io.tagfabric.actor;

import static org.assertj.core.api.Assertions.assertThat;

import akka.Done;
import akka.actor.DeadLetter;
import akka.actor.Dropped;
import akka.actor.PoisonPill;
import akka.actor.testkit.typed.javadsl.FishingOutcomes;
import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorRefResolver;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.Adapter;
import akka.actor.typed.javadsl.Behaviors;
import io.tagfabric.support.Await;
import io.tagfabric.support.RemoteSystems;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What twins do that Akka's own references do not: who may be addressed, bounds, new nodes. */
class RefRoadTest extends TwoSystems {
  /** As if the loop had looked for it before another thread entered it. */
  @Test
  void shouldKeepTheOneWayToAPeerThatSpeaksWhileItIsFound() {
    reach(Kind.TWINS, TestProbe.<String>create(far).getRef());
    TestProbe<String> second = TestProbe.create(far);
    Await.get(farActors.expose("second", second.getRef(), String.class));
    RefNode node = nearActors.node();
    int peer = node.domain().addressVector().insert(farActors.node().endpoint().address());

    RoadReader reader = node.met(peer);

    assertThat(node.met(peer)).isSameAs(reader);
    Await.get(nearActors.ref(at("second"), String.class, LONG)).tell("found");
    second.expectMessage(LONG, "found");
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
    TestProbe<Dropped> dropped = dropped(near);

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
  void shouldUseAkkasRemotingForAPathWithoutUidThatIsNotExposed() {
    reach(Kind.TWINS, TestProbe.<String>create(far).getRef());
    TestProbe<String> hidden = TestProbe.create(far);
    String path = ActorRefResolver.get(far).toSerializationFormat(hidden.getRef());
    ActorRef<String> guessed =
        ActorRefResolver.get(near).resolveActorRef(path.substring(0, path.indexOf('#')));
    ActorRef<String> ref = nearActors.ref(guessed);

    ref.tell("first");
    ref.tell("second");

    receive(hidden, List.of("first", "second"));
    assertThat(nearActors.counters().refused()).isEqualTo(1);
    assertThat(nearActors.counters().byArtery()).isEqualTo(2);
  }

  @Test
  void shouldReachAnActorWhoseReferenceWasGivenAway() {
    reach(Kind.TWINS, TestProbe.<String>create(far).getRef());
    TestProbe<String> given = TestProbe.create(far);
    ActorRef<String> ref = nearActors.ref(artery(given.getRef()));

    ref.tell("first");

    given.expectMessage(LONG, "first");
    assertThat(nearActors.counters())
        .matches(counters -> counters.sent() == 1 && counters.refused() == 0);
  }

  @Test
  void shouldRefuseAnotherUidThanTheActorsOwn() {
    reach(Kind.TWINS, TestProbe.<String>create(far).getRef());
    TestProbe<String> other = TestProbe.create(far);
    String path = ActorRefResolver.get(far).toSerializationFormat(other.getRef());
    int uid = other.getRef().path().uid();
    ActorRef<String> ref =
        nearActors.ref(
            ActorRefResolver.get(near)
                .resolveActorRef(path.substring(0, path.indexOf('#') + 1) + (uid ^ 1)));

    ref.tell("to nobody");

    Await.until("it is refused", () -> nearActors.counters().refused() == 1);
    assertThat(nearActors.counters().sent()).isZero();
  }

  @Test
  void shouldForgetNumbersThatNobodyUsesAnyMore() {
    TestProbe<String> probe = TestProbe.create(far);
    ActorRef<String> kept = reach(Kind.TWINS, probe.getRef());
    kept.tell("kept");
    probe.expectMessage(LONG, "kept");
    int count = 200;
    List<ActorRef<String>> many = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      many.add(nearActors.ref(artery(spawnFar(toldTo(probe), "many-" + i))));
      many.get(i).tell("many");
      probe.expectMessage(LONG, "many");
    }
    assertThat(farActors.counters().known()).isEqualTo(count + 1L);
    many.clear();

    Await.until(
        "few are known",
        () -> {
          System.gc();
          return farActors.counters().known() < count / 4;
        });
    kept.tell("still");
    probe.expectMessage(LONG, "still");
  }

  private static Behavior<String> toldTo(TestProbe<String> probe) {
    return Behaviors.receiveMessage(
        text -> {
          probe.getRef().tell(text);
          return Behaviors.same();
        });
  }

  @Test
  void shouldPublishWhatIsTooMuchToWait() {
    ActorSystem<Void> sender =
        systems.start("sender", config + "tagfabric.actors.queue-messages = 4\n");
    TestProbe<String> probe = TestProbe.create(far);
    TestProbe<Dropped> dropped = dropped(sender);
    ActorRef<String> ref = reachFrom(sender, probe.getRef());
    ref.tell("first");
    probe.expectMessage(LONG, "first");
    CompletableFuture<Void> goOn = new CompletableFuture<>();
    farActors.node().loop().execute(() -> Await.get(goOn));

    List<String> messages =
        IntStream.range(0, 7).mapToObj(i -> i + "x".repeat(LONG_LENGTH)).toList();
    messages.forEach(ref::tell); // the other side reads nothing now
    for (int i = 4; i < 7; i++) {
      Dropped each = dropped.receiveMessage(LONG);
      assertThat(each.message()).isEqualTo(messages.get(i));
      assertThat(each.reason()).contains("queue-messages");
      assertThat(each.recipient()).isEqualTo(Adapter.toClassic(ref));
    }
    goOn.complete(null);

    receive(probe, messages.subList(0, 4));
    assertThat(FabricActors.get(sender).counters())
        .matches(counters -> counters.overflowed() == 3 && counters.sent() == 5);
  }

  private ActorRef<String> reachFrom(ActorSystem<?> sender, ActorRef<String> target) {
    Await.get(farActors.expose("target", target, String.class));
    return Await.get(FabricActors.get(sender).ref(at("target"), String.class, LONG));
  }

  @Test
  void shouldWaitForRoomWhereTellWouldDrop() {
    ActorSystem<Void> sender =
        systems.start("sender", config + "tagfabric.actors.queue-messages = 4\n");
    TestProbe<String> probe = TestProbe.create(far);
    FabricActors actors = FabricActors.get(sender);
    ActorRef<String> twin = reachFrom(sender, probe.getRef());
    List<String> messages =
        IntStream.range(0, 500)
            .mapToObj(i -> i % 10 == 3 ? i + "-" + "x".repeat(LONG_LENGTH) : "short " + i)
            .toList();

    List<CompletionStage<Done>> taken =
        messages.stream().map(message -> actors.tellOrWait(twin, message)).toList();

    receive(probe, messages);
    taken.forEach(Await::get);
    assertThat(actors.counters())
        .matches(counters -> counters.overflowed() == 0 && counters.sent() == 500);
  }

  @Test
  void shouldReachTheNextIncarnationOfANodeByNewReferencesOnly() {
    TestProbe<String> probe = TestProbe.create(far);
    ActorRef<String> old = reach(Kind.TWINS, probe.getRef());
    old.tell("hello");
    probe.expectMessage(LONG, "hello");
    String place = RemoteSystems.placeOf(far);
    TestProbe<Object> watcher = TestProbe.create(near);
    systems.stop(far);
    watcher.expectTerminated(old, LONG);

    far =
        systems.start(
            "far",
            config
                + "akka.remote.artery.canonical.port = "
                + place.substring(place.indexOf(':') + 1)
                + "\n");
    farActors = FabricActors.get(far);
    TestProbe<String> again = TestProbe.create(far);
    TestProbe<DeadLetter> dead = deadLetters(far);
    ActorRef<String> fresh = reach(Kind.TWINS, again.getRef());
    old.tell("too late");
    fresh.tell("hello again");

    again.expectMessage(LONG, "hello again");
    dead.fishForMessage(
        LONG,
        letter ->
            letter.message().equals("too late")
                ? FishingOutcomes.complete()
                : FishingOutcomes.continueAndIgnore());
    assertThat(nearActors.counters().byArtery()).as("as the node has closed").isEqualTo(1);
  }
}
