package io.tagfabric.actor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.actor.BootstrapSetup;
import akka.actor.setup.ActorSystemSetup;
import akka.actor.setup.Setup;
import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorRefResolver;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.Props;
import akka.actor.typed.javadsl.Adapter;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Routers;
import akka.actor.typed.receptionist.Receptionist;
import akka.actor.typed.receptionist.ServiceKey;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.actor.twin.FabricRef;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.support.Await;
import io.tagfabric.support.RemoteSystems;
import io.tagfabric.support.TestCluster;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Applications that use the fabric by their setup alone. */
class FabricSetupTest {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final ServiceKey<String> KEY = ServiceKey.create(String.class, "worker");

  private final String key = UUID.randomUUID().toString();

  private String config(String provider) {
    return "tagfabric.job.key = \""
        + key
        + "\"\ntagfabric.provider.use = ["
        + provider
        + "]\ntagfabric.flow.connect-timeout = 1 s\n"
        + "akka.remote.use-unsafe-remote-features-outside-cluster = on\n";
  }

  private static ActorRef<String> resolve(
      ActorSystem<?> near, ActorSystem<?> far, ActorRef<String> ref) {
    return ActorRefResolver.get(near)
        .resolveActorRef(ActorRefResolver.get(far).toSerializationFormat(ref));
  }

  private static boolean isTwin(ActorRef<?> ref) {
    return Adapter.toClassic(ref) instanceof FabricRef;
  }

  /** What an application is told. */
  private record Command() {}

  @Test
  void shouldOpenReferencesWithTheSystem() {
    Behavior<Command> guardian = Behaviors.empty();
    BootstrapSetup bootstrap =
        BootstrapSetup.create(
            ConfigFactory.parseString(config("shm")).withFallback(ConfigFactory.load()));
    // #setup
    ActorSystemSetup setup = ActorSystemSetup.create(bootstrap, FabricSetup.create());
    ActorSystem<Command> system = ActorSystem.create(guardian, "shop", setup);
    // #setup
    assertThat(Fabric.get(system).domains())
        .extracting(Domain::name)
        .containsExactly("tagfabric-actors");
    system.terminate();
    Await.get(system.getWhenTerminated());
  }

  @Test
  void shouldRouteToAGroupByTheFabric() {
    Setup[] setup = {FabricSetup.create()};
    try (TestCluster cluster = new TestCluster()) {
      for (int i = 0; i < 2; i++) {
        cluster.start(
            ConfigFactory.parseString(config("shm"))
                .withFallback(ConfigFactory.defaultApplication()),
            setup);
      }
      cluster.awaitUp();
      ActorSystem<?> near = cluster.system(0);
      ActorSystem<?> far = cluster.system(1);
      TestProbe<String> got = TestProbe.create(far);
      TestProbe<Receptionist.Listing> listings = TestProbe.create(near);
      far.receptionist().tell(Receptionist.register(KEY, got.getRef()));
      near.receptionist().tell(Receptionist.subscribe(KEY, listings.getRef()));
      while (listings.receiveMessage(LONG).getServiceInstances(KEY).isEmpty()) {
        // the news takes its time
      }

      ActorRef<String> router = near.systemActorOf(Routers.group(KEY), "router", Props.empty());
      List.of("one", "two", "three").forEach(router::tell);

      List.of("one", "two", "three").forEach(text -> got.expectMessage(LONG, text));
      FabricActors.Counters counters = FabricActors.get(near).counters();
      assertThat(counters.sent()).isEqualTo(3);
      assertThat(counters.byArtery()).isZero();
    }
  }

  private static Behavior<String> guardian(
      CompletableFuture<ActorRef<String>> itself, BlockingQueue<String> got) {
    return Behaviors.setup(
        context -> {
          itself.complete(context.getSelf());
          return Behaviors.receiveMessage(
              text -> {
                got.add(text);
                return Behaviors.same();
              });
        });
  }

  @Test
  void shouldReachTheGuardianWhenItsReferenceWasSentOut() throws InterruptedException {
    CompletableFuture<ActorRef<String>> itself = new CompletableFuture<>();
    BlockingQueue<String> got = new LinkedBlockingQueue<>();
    try (RemoteSystems systems = new RemoteSystems()) {
      ActorSystem<Void> near =
          systems.start(Behaviors.empty(), "near", config("shm"), FabricSetup.create());
      ActorSystem<String> far =
          systems.start(guardian(itself, got), "far", config("shm"), FabricSetup.create());
      Acquaintance.make(near, far);
      resolve(near, far, Await.get(itself)).tell("hello");

      assertThat(got.poll(LONG.toSeconds(), TimeUnit.SECONDS)).isEqualTo("hello");
      assertThat(FabricActors.get(near).counters())
          .matches(counters -> counters.sent() == 1 && counters.refused() == 0);
    }
  }

  @Test
  void shouldRefuseAGuardianWhoseReferenceWasNotSentOut() throws InterruptedException {
    BlockingQueue<String> got = new LinkedBlockingQueue<>();
    try (RemoteSystems systems = new RemoteSystems()) {
      ActorSystem<Void> near =
          systems.start(Behaviors.empty(), "near", config("shm"), FabricSetup.create());
      ActorSystem<String> far =
          systems.start(
              guardian(new CompletableFuture<>(), got), "far", config("shm"), FabricSetup.create());
      Acquaintance.make(near, far);
      ActorRefResolver.get(near).<String>resolveActorRef(far.address() + "/user").tell("guessed");

      assertThat(got.poll(LONG.toSeconds(), TimeUnit.SECONDS)).isEqualTo("guessed");
      assertThat(FabricActors.get(near).counters())
          .matches(counters -> counters.byArtery() == 1 && counters.refused() == 1);
    }
  }

  @Test
  void shouldUseAkkasRemotingInOrderWhenTheOtherNodeHasNoFabric() {
    try (RemoteSystems systems = new RemoteSystems()) {
      ActorSystem<Void> near =
          systems.start(Behaviors.empty(), "near", config("shm"), FabricSetup.create());
      ActorSystem<Void> far = systems.start("far", config("shm"));
      TestProbe<String> got = TestProbe.create(far);
      ActorRef<String> ref = resolve(near, far, got.getRef());

      assertThat(isTwin(ref)).isTrue();
      List.of("one", "two", "three").forEach(ref::tell);

      List.of("one", "two", "three").forEach(text -> got.expectMessage(LONG, text));
      assertThat(FabricActors.get(near).counters())
          .matches(counters -> counters.byArtery() == 3 && counters.sent() == 0);
    }
  }

  @Test
  void shouldUseTheFabricWhenTheOtherNodeHasOpenedIt() {
    try (RemoteSystems systems = new RemoteSystems()) {
      ActorSystem<Void> near =
          systems.start(Behaviors.empty(), "near", config("shm"), FabricSetup.create());
      ActorSystem<Void> far = systems.start("far", config("shm"));
      TestProbe<String> got = TestProbe.create(far);
      ActorRef<String> early = resolve(near, far, got.getRef());
      early.tell("early");
      got.expectMessage(LONG, "early");

      FabricActors.get(far);
      Await.until(
          "a new reference goes by the fabric",
          () -> {
            resolve(near, far, got.getRef()).tell("late");
            got.expectMessage(LONG, "late");
            return FabricActors.get(near).counters().sent() > 0;
          });
      long byArtery = FabricActors.get(near).counters().byArtery();
      early.tell("by the fabric, too");

      got.expectMessage(LONG, "by the fabric, too");
      assertThat(FabricActors.get(near).counters().byArtery()).isEqualTo(byArtery);
    }
  }

  @Test
  void shouldStayWithAkkasReferencesWhenTheFabricCannotBeOpened() {
    try (RemoteSystems systems = new RemoteSystems()) {
      ActorSystem<Void> near =
          systems.start(Behaviors.empty(), "near", config("none"), FabricSetup.create());
      ActorSystem<Void> far = systems.start("far", config("shm"));
      TestProbe<String> got = TestProbe.create(far);
      ActorRef<String> ref = resolve(near, far, got.getRef());

      ref.tell("hello");

      got.expectMessage(LONG, "hello");
      assertThat(isTwin(ref)).isFalse();
      assertThatThrownBy(() -> FabricActors.get(near)).hasStackTraceContaining("none");
    }
  }
}
