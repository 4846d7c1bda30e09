package io.tagfabric.name;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.typed.ActorSystem;
import akka.cluster.typed.Cluster;
import akka.cluster.typed.Down;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.cluster.profile.Profiles;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.support.Await;
import io.tagfabric.support.RemoteSystems;
import io.tagfabric.support.TestCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Names across ActorSystems that form a cluster. */
class NameServiceClusterTest {
  private static final int SIZE = 3;
  private static TestCluster cluster;
  private static final List<Fabric> FABRICS = new ArrayList<>();
  private static final List<Endpoint> ENDPOINTS = new ArrayList<>();

  @BeforeAll
  static void start() {
    cluster = TestCluster.of(SIZE);
    for (int i = 0; i < SIZE; i++) {
      FABRICS.add(Fabric.get(cluster.system(i)));
      ENDPOINTS.add(FABRICS.get(i).openDomain("d").openEndpoint("e" + i));
    }
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  void shouldFindAnEndpointOfAnotherNode() {
    Await.get(FABRICS.get(0).register("there", ENDPOINTS.get(0)));

    for (Fabric fabric : FABRICS) {
      EndpointAddress found = Await.get(fabric.resolve("there"));
      assertThat(found).isEqualTo(ENDPOINTS.get(0).address());
    }
  }

  @Test
  void shouldWaitForANameThatAnotherNodeRegistersLater() {
    var found = FABRICS.get(2).resolve("later");
    Await.get(FABRICS.get(1).register("later", ENDPOINTS.get(1)));

    assertThat(Await.get(found)).isEqualTo(ENDPOINTS.get(1).address());
  }

  @Test
  void shouldRefuseANameThatAnotherNodeHolds() {
    Await.get(FABRICS.get(0).register("held", ENDPOINTS.get(0)));

    assertThat(Await.failure(FABRICS.get(1).register("held", ENDPOINTS.get(1))))
        .isInstanceOfSatisfying(
            FabricException.class, e -> assertThat(e.error()).isEqualTo(FabricError.ADDRESS_IN_USE))
        .hasMessageContaining("e0@" + cluster.system(0).address());
  }

  @Test
  void shouldGiveANameToOneOfThreeThatClaimItAtTheSameTime() {
    for (int round = 0; round < 20; round++) {
      String name = "race-" + round;
      List<CompletableFuture<String>> claims = new ArrayList<>();
      for (int i = 0; i < SIZE; i++) {
        claims.add(
            FABRICS
                .get(i)
                .register(name, ENDPOINTS.get(i))
                .handle((held, refused) -> refused == null ? held.address().name() : "")
                .toCompletableFuture());
      }
      List<String> winners = claims.stream().map(Await::get).filter(w -> !w.isEmpty()).toList();

      assertThat(winners).hasSize(1);
      assertThat(Await.get(FABRICS.get(0).resolve(name)).name()).isEqualTo(winners.get(0));
    }
  }

  @Test
  void shouldFreeANameForOtherNodes() {
    Await.get(FABRICS.get(0).register("moving", ENDPOINTS.get(0)));
    Await.get(FABRICS.get(0).unregister("moving"));
    Await.get(FABRICS.get(1).register("moving", ENDPOINTS.get(1)));

    assertThat(Await.get(FABRICS.get(2).resolve("moving"))).isEqualTo(ENDPOINTS.get(1).address());
  }

  @Test
  void shouldTellTheNamesOfAllNodesWhenTheTimeIsOver() {
    Await.get(FABRICS.get(0).register("of-0", ENDPOINTS.get(0)));
    Await.get(FABRICS.get(1).register("of-1", ENDPOINTS.get(1)));

    assertThat(Await.failure(FABRICS.get(2).resolve("nobody", Duration.ofSeconds(1))))
        .hasMessageContaining("of-0")
        .hasMessageContaining("of-1");
  }

  @Test
  void shouldFindANameAmongMoreThanGoIntoAMessage() {
    for (int i = 0; i < 1200; i++) {
      Await.get(FABRICS.get(0).register("x".repeat(250) + i, ENDPOINTS.get(0)));
    }

    assertThat(Await.get(FABRICS.get(1).resolve("x".repeat(250) + 1199)))
        .isEqualTo(ENDPOINTS.get(0).address());
    for (int i = 0; i < 1200; i++) {
      Await.get(FABRICS.get(0).unregister("x".repeat(250) + i));
    }
  }

  @Test
  void shouldFindANameOfOneNodeFromOutsideTheCluster() {
    Await.get(FABRICS.get(0).register("seen", ENDPOINTS.get(0)));
    try (RemoteSystems systems = new RemoteSystems()) {
      Fabric outside =
          Fabric.get(
              systems.start("outside", "tagfabric.job.key = \"" + FABRICS.get(0).jobKey() + "\""));
      String place = RemoteSystems.placeOf(cluster.system(0));

      assertThat(Await.get(outside.resolve(Profiles.SYSTEM_NAME + "@" + place + "/seen")))
          .isEqualTo(ENDPOINTS.get(0).address());
    }
  }

  @Test
  void shouldNotSeeTheNamesOfAnotherJob() {
    try (TestCluster two = TestCluster.of(1)) {
      ActorSystem<?> stranger = two.start(UUID.randomUUID());
      two.awaitUp();
      Fabric here = Fabric.get(two.system(0));
      Fabric there = Fabric.get(stranger);
      Endpoint hereEndpoint = here.openDomain("d").openEndpoint("here");
      Endpoint thereEndpoint = there.openDomain("d").openEndpoint("there");
      Await.get(here.register("bob", hereEndpoint));

      assertThat(Await.failure(there.resolve("bob", Duration.ofSeconds(1))))
          .hasMessageEndingWith("the names known are []");
      Await.get(there.register("bob", thereEndpoint));
      assertThat(Await.get(here.resolve("bob"))).isEqualTo(hereEndpoint.address());
      assertThat(Await.get(there.resolve("bob"))).isEqualTo(thereEndpoint.address());
    }
  }

  @Test
  void shouldGiveANameWhereAMemberHasNoService() {
    String key = "tagfabric.job.key = \"" + UUID.randomUUID() + "\"\n";
    try (TestCluster two = new TestCluster()) {
      Fabric with = Fabric.get(two.start(config(key + "tagfabric.names.claim-timeout = 100 ms")));
      Fabric without = Fabric.get(two.start(config(key + "tagfabric.names.enabled = off")));
      two.awaitUp();
      Endpoint bob = with.openDomain("d").openEndpoint("bob");
      Await.get(with.register("bob", bob));

      assertThat(Await.get(with.resolve("bob"))).isEqualTo(bob.address());
      assertThat(Await.failure(without.resolve("bob")))
          .hasMessageContaining("tagfabric.names.enabled=off");
    }
  }

  private static Config config(String text) {
    return ConfigFactory.parseString(text).withFallback(ConfigFactory.defaultApplication());
  }

  private static Config config(UUID key, String text) {
    return config("tagfabric.job.key = \"" + key + "\"\n" + text);
  }

  private static void requireTaken(CompletionStage<?> claim) {
    assertThat(Await.failure(claim))
        .isInstanceOfSatisfying(
            FabricException.class,
            e -> assertThat(e.error()).isEqualTo(FabricError.ADDRESS_IN_USE));
  }

  private static String outcome(CompletionStage<NameService.Registered> claim) {
    return Await.get(
        claim.handle((held, refused) -> refused == null ? held.address().name() : "refused"));
  }

  @Test
  void shouldRefuseANameThatWasClaimedBeforeItsNodeHadJoined() {
    UUID key = UUID.randomUUID();
    try (TestCluster two = new TestCluster()) {
      Fabric first = Fabric.get(two.start(key));
      Await.get(first.register("leader", first.openDomain("d").openEndpoint("first")));
      Fabric second = Fabric.get(two.startOutside(config(key, "")));
      var claim = second.register("leader", second.openDomain("d").openEndpoint("second"));
      Await.get(second.unregister("nobody")); // by now the claim has been looked at
      assertThat(claim.toCompletableFuture()).isNotDone();
      two.join(second.system());

      requireTaken(claim);
    }
  }

  @Test
  void shouldGiveANameToOneOfTwoThatClaimItBeforeTheyAreUp() {
    UUID key = UUID.randomUUID();
    try (TestCluster two = new TestCluster()) {
      List<CompletionStage<NameService.Registered>> claims = new ArrayList<>();
      for (String name : List.of("first", "second")) {
        Fabric fabric = Fabric.get(two.startOutside(config(key, "")));
        claims.add(fabric.register("leader", fabric.openDomain("d").openEndpoint(name)));
      }
      two.join(two.system(0));
      two.join(two.system(1));

      List<String> outcomes = claims.stream().map(NameServiceClusterTest::outcome).toList();
      assertThat(outcomes).containsOnlyOnce("refused");
      String holder = outcomes.get(0).equals("refused") ? outcomes.get(1) : outcomes.get(0);
      for (int i = 0; i < 2; i++) {
        assertThat(Await.get(Fabric.get(two.system(i)).resolve("leader")).name()).isEqualTo(holder);
      }
    }
  }

  @Test
  void shouldRefuseANameWhenTheServiceIsStartedOnANodeThatIsUp() {
    UUID key = UUID.randomUUID();
    try (TestCluster two = new TestCluster()) {
      Fabric first = Fabric.get(two.start(key));
      two.start(key);
      two.awaitUp();
      Await.get(first.register("leader", first.openDomain("d").openEndpoint("first")));
      Fabric second = Fabric.get(two.system(1));

      requireTaken(second.register("leader", second.openDomain("d").openEndpoint("second")));
    }
  }

  @Test
  void shouldNameTheStateWhenTheNodeDoesNotJoin() {
    try (TestCluster one = new TestCluster()) {
      Fabric fabric =
          Fabric.get(
              one.startOutside(
                  config(UUID.randomUUID(), "tagfabric.flow.connect-timeout = 100 ms")));
      Endpoint endpoint = fabric.openDomain("d").openEndpoint("e");

      assertThat(Await.failure(fabric.register("leader", endpoint)))
          .isInstanceOfSatisfying(
              FabricException.class, e -> assertThat(e.error()).isEqualTo(FabricError.TIMED_OUT))
          .hasMessageContaining("this node has not joined its cluster yet, status=OUTSIDE")
          .hasMessageContaining("tagfabric.flow.connect-timeout=100 ms");
    }
  }

  @Test
  void shouldRefuseANameOnANodeThatHasLeft() {
    UUID key = UUID.randomUUID();
    String stays = "akka.cluster.run-coordinated-shutdown-when-down = off";
    try (TestCluster two = new TestCluster()) {
      Fabric first = Fabric.get(two.start(key));
      Fabric second = Fabric.get(two.start(config(key, stays)));
      two.awaitUp();
      Await.get(first.register("of-first", first.openDomain("d").openEndpoint("first")));
      Endpoint endpoint = second.openDomain("d").openEndpoint("second");
      Cluster cluster = Cluster.get(second.system());
      cluster.manager().tell(Down.apply(cluster.selfMember().address()));
      Await.until("the node is no member any more", cluster::isTerminated);

      assertThat(Await.failure(second.register("leader", endpoint)))
          .isInstanceOfSatisfying(
              FabricException.class, e -> assertThat(e.error()).isEqualTo(FabricError.SHUTDOWN))
          .hasMessageContaining("this node is no longer a member of its cluster");
    }
  }

  @Test
  void shouldGiveANameAgainWhenItsNodeHasGone() {
    UUID key = UUID.randomUUID();
    try (TestCluster two = new TestCluster()) {
      Fabric first = Fabric.get(two.start(key));
      Fabric second = Fabric.get(two.start(key));
      two.awaitUp();
      Await.get(second.register("bob", second.openDomain("d").openEndpoint("second")));
      assertThat(Await.get(first.resolve("bob")).name()).isEqualTo("second");
      two.stop(1);

      Fabric third = Fabric.get(two.start(key));
      Endpoint successor = third.openDomain("d").openEndpoint("third");
      Await.get(third.register("bob", successor));

      assertThat(Await.get(first.resolve("bob"))).isEqualTo(successor.address());
    }
  }
}
