package io.tagfabric.actor;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorRefResolver;
import akka.actor.typed.ActorSystem;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.runtime.Environment;
import io.tagfabric.runtime.Mail;
import io.tagfabric.support.Await;
import io.tagfabric.support.RemoteSystems;
import io.tagfabric.support.TestCluster;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Nodes with {@code akka.remote.artery.untrusted-mode}: none of Tagfabric's actors is among the
 * trusted paths.
 */
class UntrustedModeTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final String UNTRUSTED = "akka.remote.artery.untrusted-mode = on\n";

  /** What Akka Cluster needs for itself. */
  private static final String PATHS_OF_CLUSTER =
      "akka.remote.artery.trusted-selection-paths = ["
          + "\"/system/cluster/core/daemon\", \"/system/cluster/heartbeatReceiver\"]\n";

  private final String key = "tagfabric.job.key = \"" + UUID.randomUUID() + "\"\n";
  private final RemoteSystems systems = new RemoteSystems();
  private final TestCluster cluster = new TestCluster();

  @AfterEach
  void stop() {
    systems.close();
    cluster.close();
  }

  private Fabric start(String more) {
    return Fabric.get(systems.start("nodes", key + UNTRUSTED + more));
  }

  private ActorSystem<?> startMember() {
    Config config =
        ConfigFactory.parseString(
                key + UNTRUSTED + PATHS_OF_CLUSTER + "tagfabric.provider.use = [shm]\n")
            .withFallback(ConfigFactory.defaultApplication());
    return cluster.start(config, FabricSetup.create());
  }

  private static Endpoint named(Fabric fabric, String name) {
    Endpoint endpoint = fabric.openDomain("d").openEndpoint("e");
    Await.get(fabric.register(name, endpoint));
    return endpoint;
  }

  @Test
  void shouldFindANameAtAHostAndPort() {
    Fabric far = start("");
    Endpoint greeter = named(far, "greeter");
    Fabric near = start("");

    assertThat(Await.get(near.resolve(RemoteSystems.placeOf(far.system()) + "/greeter", LONG)))
        .isEqualTo(greeter.address());
  }

  @Test
  void shouldReachTheServiceThatBeganAfterTheFirstQuestion() {
    ActorSystem<?> far = systems.start("nodes", key + UNTRUSTED);
    Fabric near = start("");
    String place = RemoteSystems.placeOf(far) + "/greeter";
    requireNoAnswer(near, place);
    Endpoint greeter = named(Fabric.get(far), "greeter");

    assertThat(Await.get(near.resolve(place, LONG))).isEqualTo(greeter.address());
  }

  private static void requireNoAnswer(Fabric near, String place) {
    assertThat(Await.failure(near.resolve(place, Duration.ofSeconds(1))))
        .isInstanceOfSatisfying(
            FabricException.class,
            e -> assertThat(e.error()).isEqualTo(FabricError.HOST_UNREACHABLE));
  }

  @Test
  void shouldTellNobodyWhereNobodyIs() {
    Fabric near = start("");
    Endpoint here = named(near, "here");
    Mail mail = Environment.of(near.system()).mail(near.system());
    mail.tell("no address", "tagfabric-names", here.address());
    mail.tell("akka://nodes@no_host_:1", "tagfabric-names", here.address());
    mail.tell("akka://nodes", "tagfabric-nobody", here.address());

    assertThat(Await.get(near.resolve(RemoteSystems.placeOf(near.system()) + "/here", LONG)))
        .isEqualTo(here.address());
  }

  @Test
  void shouldRegisterAndFindNamesInACluster() {
    Fabric one = Fabric.get(startMember());
    Fabric two = Fabric.get(startMember());
    cluster.awaitUp();
    Endpoint bob = named(one, "bob");

    assertThat(Await.get(two.resolve("bob", LONG))).isEqualTo(bob.address());
    Endpoint other = two.openDomain("d").openEndpoint("other");
    assertThat(Await.failure(two.register("bob", other)))
        .isInstanceOfSatisfying(
            FabricException.class,
            e -> assertThat(e.error()).isEqualTo(FabricError.ADDRESS_IN_USE));
  }

  @Test
  void shouldReachActorsByTheFabric() {
    ActorSystem<?> near = startMember();
    ActorSystem<?> far = startMember();
    cluster.awaitUp();
    TestProbe<String> got = TestProbe.create(far);
    Await.get(FabricActors.get(far).expose("orders", got.getRef(), String.class));
    CompletionStage<ActorRef<String>> found =
        FabricActors.get(near).ref("orders", String.class, LONG);
    Await.get(found).tell("exposed");
    got.expectMessage(LONG, "exposed");
    ActorRefResolver.get(near)
        .<String>resolveActorRef(ActorRefResolver.get(far).toSerializationFormat(got.getRef()))
        .tell("given");
    got.expectMessage(LONG, "given");

    assertThat(FabricActors.get(near).counters())
        .matches(counters -> counters.sent() == 2 && counters.byArtery() == 0);
  }

  @Test
  void shouldHearThatAnActorReachedByTheFabricHasEnded() {
    ActorSystem<?> near = startMember();
    ActorSystem<?> far = startMember();
    cluster.awaitUp();
    TestProbe<String> target = TestProbe.create(far);
    Await.get(FabricActors.get(far).expose("orders", target.getRef(), String.class));
    ActorRef<String> twin = Await.get(FabricActors.get(near).ref("orders", String.class, LONG));
    twin.tell("hello");
    target.expectMessage(LONG, "hello");
    TestProbe<String> watcher = TestProbe.create(near);
    target.stop();

    watcher.expectTerminated(twin, LONG);
  }
}
