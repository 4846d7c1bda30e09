package io.tagfabric.actor;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorRefResolver;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.Terminated;
import akka.actor.typed.javadsl.Behaviors;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.node.Announcement;
import io.tagfabric.node.NodeDirectory;
import io.tagfabric.runtime.NodeId;
import io.tagfabric.support.Await;
import io.tagfabric.support.RemoteSystems;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Twins whose node is not known as a peer yet: by Akka's remoting first, then by the fabric. */
class RoadMoveTest {
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final int EACH = 1000;
  private static final int LENGTH = 10_000;

  private final RemoteSystems systems = new RemoteSystems();
  private String config;
  private ActorSystem<Void> near;
  private ActorSystem<Void> far;

  @BeforeEach
  void start() {
    config =
        "tagfabric.job.key = \""
            + UUID.randomUUID()
            + "\"\ntagfabric.provider.use = [shm]\n"
            + "akka.remote.use-unsafe-remote-features-outside-cluster = on\n"
            + "akka.remote.artery.advanced { inbound-lanes = 4, outbound-lanes = 1 }\n";
    near = start("near", config);
    far = start("far", config);
  }

  private ActorSystem<Void> start(String name, String settings) {
    return systems.start(Behaviors.empty(), name, settings, FabricSetup.whenUsed());
  }

  @AfterEach
  void stop() {
    systems.close();
  }

  private static <T> ActorRef<T> twin(ActorSystem<?> at, ActorSystem<?> of, ActorRef<T> ref) {
    String text = ActorRefResolver.get(of).toSerializationFormat(ref);
    return FabricActors.get(at).ref(ActorRefResolver.get(at).<T>resolveActorRef(text));
  }

  private static FabricActors.Counters counters(ActorSystem<?> system) {
    return FabricActors.get(system).counters();
  }

  /** A system opens its fabric, and learns of another one, which so learns of it. */
  private static void meet(ActorSystem<?> opens, ActorSystem<?> other) {
    twin(opens, other, TestProbe.<Integer>create(other).getRef());
  }

  private static void tell(ActorRef<Integer> ref, int from, int to) {
    IntStream.range(from, to).forEach(ref::tell);
  }

  private static void expect(TestProbe<Integer> probe, int from, int to) {
    for (int i = from; i < to; i++) {
      assertThat(probe.receiveMessage(LONG)).isEqualTo(i);
    }
  }

  @Test
  void shouldReachANodeWithoutFabricAtOnce() {
    TestProbe<Integer> probe = TestProbe.create(far);
    ActorRef<Integer> ref = twin(near, far, probe.getRef());

    tell(ref, 0, EACH);

    expect(probe, 0, EACH);
    assertThat(counters(near))
        .matches(counters -> counters.byArtery() == EACH && counters.overflowed() == 0);
  }

  @Test
  void shouldMoveToTheFabricInOrder() {
    TestProbe<Integer> farProbe = TestProbe.create(far);
    TestProbe<Integer> nearProbe = TestProbe.create(near);
    ActorRef<Integer> there = twin(near, far, farProbe.getRef());
    tell(there, 0, EACH);

    ActorRef<Integer> back = twin(far, near, nearProbe.getRef());
    int told = EACH;
    int toldBack = 0;
    while (counters(near).sent() < EACH || counters(far).sent() < EACH) {
      tell(there, told, told + 100);
      told += 100;
      tell(back, toldBack, toldBack + 100);
      toldBack += 100;
      assertThat(told).as("messages until both went by the fabric").isLessThan(500 * EACH);
      expect(farProbe, told == EACH + 100 ? 0 : told - 100, told);
      expect(nearProbe, toldBack - 100, toldBack);
    }

    assertThat(counters(near).byArtery()).isGreaterThanOrEqualTo(EACH);
    assertThat(counters(near).overflowed() + counters(far).overflowed()).isZero();
  }

  /** Much is under way by Akka's remoting when the node becomes known. */
  @Test
  void shouldNotOvertakeWhatIsUnderWay() {
    TestProbe<String> probe = TestProbe.create(far);
    ActorRef<String> ref = twin(near, far, probe.getRef());
    NodeDirectory nodes = FabricActors.get(near).node().fabric().nodes();
    Await.until(
        "it has answered that it has no fabric",
        () -> nodes.presence(far.address().toString()) == NodeDirectory.Presence.ABSENT);
    EndpointAddress itsEndpoint = FabricActors.get(far).node().endpoint().address();
    List<String> messages =
        IntStream.range(0, 2 * EACH).mapToObj(i -> i + "x".repeat(LENGTH)).toList();

    messages.subList(0, EACH).forEach(ref::tell);
    FabricActors.get(near).node().roadTo(itsEndpoint);
    messages.subList(EACH, 2 * EACH).forEach(ref::tell);

    messages.forEach(each -> assertThat(probe.receiveMessage(LONG)).isEqualTo(each));
    assertThat(counters(near))
        .matches(counters -> counters.byArtery() == EACH && counters.sent() == EACH);
  }

  /** An actor that takes its time does not answer: what waits for it is told all the same. */
  @Test
  void shouldKeepAllForAnActorThatIsBusy() {
    ActorSystem<Void> sender = start("sender", config + "tagfabric.actors.queue-messages = 100\n");
    TestProbe<Integer> probe = TestProbe.create(far);
    CompletableFuture<Void> goOn = new CompletableFuture<>();
    Behavior<Integer> busy =
        Behaviors.receiveMessage(
            message -> {
              Await.get(goOn);
              probe.getRef().tell(message);
              return Behaviors.same();
            });
    ActorRef<Integer> ref =
        twin(sender, far, far.systemActorOf(busy, "busy", akka.actor.typed.Props.empty()));
    tell(ref, 0, 10);
    meet(far, sender);
    Await.until("they have met", () -> FabricActors.get(sender).node().hasMet(far.address()));

    tell(ref, 10, 1000);
    goOn.complete(null);

    expect(probe, 0, 1000);
    assertThat(counters(sender).overflowed()).isZero();
  }

  @Test
  void shouldLeaveAMessageAdapterWhereItHasBegun() {
    TestProbe<Object> got = TestProbe.create(far);
    TestProbe<ActorRef<Integer>> adapters = TestProbe.create(far);
    Behavior<Object> adapting =
        Behaviors.setup(
            context -> {
              adapters.getRef().tell(context.messageAdapter(Integer.class, number -> number));
              return Behaviors.receiveMessage(
                  message -> {
                    got.getRef().tell(message);
                    return Behaviors.same();
                  });
            });
    far.systemActorOf(adapting, "adapting", akka.actor.typed.Props.empty());
    ActorRef<Integer> adapter = twin(near, far, adapters.receiveMessage(LONG));
    adapter.tell(1);
    got.expectMessage(LONG, 1);
    meet(far, near);
    Await.until("they have met", () -> FabricActors.get(near).node().hasMet(far.address()));

    adapter.tell(2);
    adapter.tell(3);

    List.of(2, 3).forEach(each -> got.expectMessage(LONG, each));
    assertThat(counters(near))
        .matches(counters -> counters.byArtery() == 3 && counters.sent() == 0);
  }

  @Test
  void shouldTellAWatcherOnceBehindTheLastMessageAfterTheMove() {
    TestProbe<String> heard = TestProbe.create(near);
    TestProbe<ActorRef<Integer>> spawned = TestProbe.create(near);
    TestProbe<Integer> farProbe = TestProbe.create(far);
    Behavior<ActorRef<Integer>> talking =
        Behaviors.receive(
            (context, target) -> {
              tell(target, 0, EACH);
              return Behaviors.stopped();
            });
    ActorRef<ActorRef<Integer>> talker =
        far.systemActorOf(talking, "talking", akka.actor.typed.Props.empty());
    ActorRef<ActorRef<Integer>> talkerTwin = twin(near, far, talker);
    Behavior<Integer> watcher =
        Behaviors.setup(
            context -> {
              context.watch(talkerTwin);
              spawned.getRef().tell(context.getSelf());
              return Behaviors.receive(Integer.class)
                  .onMessage(
                      Integer.class,
                      message -> {
                        heard.getRef().tell("got " + message);
                        return Behaviors.same();
                      })
                  .onSignal(
                      Terminated.class,
                      end -> {
                        heard.getRef().tell("ended");
                        return Behaviors.same();
                      })
                  .build();
            });
    near.systemActorOf(watcher, "watching", akka.actor.typed.Props.empty());
    ActorRef<Integer> listener = spawned.receiveMessage(LONG);
    meet(far, near);
    Await.until("they have met", () -> FabricActors.get(near).node().hasMet(far.address()));
    Await.until(
        "it moves",
        () -> {
          twin(near, far, farProbe.getRef()).tell(0);
          return counters(near).sent() > 0;
        });

    talkerTwin.tell(listener);

    for (int i = 0; i < EACH; i++) {
      heard.expectMessage(LONG, "got " + i);
    }
    heard.expectMessage(LONG, "ended");
    heard.expectNoMessage(Duration.ofMillis(200));
  }

  @ParameterizedTest
  @ValueSource(strings = {"nonsense", "of another node"})
  void shouldUseAkkasRemotingWhereAnAnnouncementIsWrong(String actors) {
    FabricActors.get(near);
    TestProbe<Integer> probe = TestProbe.create(far);
    ActorRef<Integer> ref = twin(near, far, probe.getRef());
    NodeDirectory nodes = FabricActors.get(near).node().fabric().nodes();
    String node = far.address().toString();
    Await.until("no fabric", () -> nodes.presence(node) == NodeDirectory.Presence.ABSENT);
    EndpointAddress own = FabricActors.get(near).node().endpoint().address();

    ActorRefResolver.get(near)
        .<NodeDirectory.Command>resolveActorRef(near.address() + "/system/tagfabric-node")
        .tell(
            new Announcement(
                new NodeId(node, 1),
                nodes.own().protocols(),
                List.of(),
                nodes.own().keys(),
                actors.equals("nonsense") ? actors : own.encode(),
                false,
                false));
    Await.until("it is heard", () -> nodes.presence(node) == NodeDirectory.Presence.PRESENT);
    tell(ref, 0, EACH);

    expect(probe, 0, EACH);
    assertThat(counters(near).byArtery()).isEqualTo(EACH);
    meet(far, near);
    Await.until("they have met", () -> FabricActors.get(near).node().hasMet(far.address()));
  }

  @Test
  void shouldUseAkkasRemotingForANodeWithAnotherKey() {
    ActorSystem<Void> other =
        start("other", config.replaceFirst("key = \"[^\"]*", "key = \"" + UUID.randomUUID()));
    TestProbe<Integer> probe = TestProbe.create(other);
    FabricActors.get(other);
    ActorRef<Integer> ref = twin(near, other, probe.getRef());

    tell(ref, 0, EACH);

    expect(probe, 0, EACH);
    Await.until(
        "both know",
        () ->
            FabricActors.get(near)
                .node()
                .fabric()
                .nodes()
                .announced(other.address().toString())
                .isPresent());
    tell(ref, 0, EACH);
    expect(probe, 0, EACH);
    assertThat(counters(near)).matches(counters -> counters.byArtery() == 2 * EACH);
    assertThat(
            FabricActors.get(near)
                .node()
                .fabric()
                .nodes()
                .announced(other.address().toString())
                .orElseThrow()
                .actors())
        .isEmpty();
  }
}
