package io.tagfabric.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.actor.BootstrapSetup;
import akka.actor.setup.ActorSystemSetup;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Behaviors;
import akka.cluster.typed.Cluster;
import akka.cluster.typed.Join;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.address.Protocols;
import io.tagfabric.collective.reduce.Reduction;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.runtime.Environment;
import io.tagfabric.runtime.EnvironmentSetup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Nodes of a real cluster, in one JVM. */
class ClusterTeamTest {
  private static final long PATIENCE_S = 60;
  private static final String NODE =
      """
      akka.loglevel = ERROR
      akka.log-dead-letters = off
      akka.actor.provider = cluster
      akka.remote.artery { transport = tcp, canonical { hostname = "127.0.0.1", port = 0 } }
      akka.cluster.roles = [worker]
      akka.cluster.jmx.enabled = off
      akka.coordinated-shutdown.exit-jvm = off
      tagfabric.provider.use = [artery, local]
      """;

  private final List<ActorSystem<Void>> systems = new ArrayList<>();
  private final List<ClusterTeam> nodes = new ArrayList<>();

  /** Nodes join one after the other, so that their ages differ. */
  private void addNode(int size) {
    addNode(size, "");
  }

  private void addNode(int size, String more) {
    addNode(size, more, Protocols.OWN);
  }

  private void addNode(int size, String more, Protocols protocols) {
    Environment environment =
        new Environment() {
          @Override
          public Protocols protocols() {
            return protocols;
          }
        };
    ActorSystem<Void> system =
        ActorSystem.create(
            Behaviors.empty(),
            "nodes",
            ActorSystemSetup.create(
                BootstrapSetup.create(
                    ConfigFactory.parseString(NODE + more).withFallback(ConfigFactory.load())),
                new EnvironmentSetup(environment)));
    systems.add(system);
    Cluster cluster = Cluster.get(system);
    cluster.manager().tell(Join.create(Cluster.get(systems.get(0)).selfMember().address()));
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
    while (!cluster.selfMember().status().equals(akka.cluster.MemberStatus.up())) {
      assertThat(System.nanoTime()).as("the node is up in time").isLessThan(deadlineNs);
      Thread.onSpinWait();
    }
    if (size > 0) {
      nodes.add(ClusterTeam.of(system, "worker", size));
    }
  }

  @AfterEach
  void stop() {
    nodes.forEach(ClusterTeam::close);
    systems.forEach(ActorSystem::terminate);
    systems.forEach(system -> system.getWhenTerminated().toCompletableFuture().join());
  }

  private static Team join(CompletableFuture<Team> forming) throws Exception {
    return forming.get(PATIENCE_S, TimeUnit.SECONDS);
  }

  private static void requireSum(List<Team> teams, long sum) throws Exception {
    List<CompletableFuture<long[]>> sums =
        teams.stream()
            .map(t -> t.allreduce(new long[] {1}, Reduction.SUM).toCompletableFuture())
            .toList();
    for (CompletableFuture<long[]> each : sums) {
      assertThat(each.get(PATIENCE_S, TimeUnit.SECONDS)).containsExactly(sum);
    }
  }

  @Test
  void shouldNotBeginWithoutNamesAndSayWhichSettingBringsThem() {
    addNode(0, "tagfabric.names.enabled = off");

    assertThatThrownBy(() -> ClusterTeam.of(systems.get(0), "worker", 1))
        .isInstanceOfSatisfying(
            FabricException.class,
            e -> assertThat(e.error()).isEqualTo(FabricError.OPERATION_NOT_SUPPORTED))
        .hasMessageContaining("tagfabric.names.enabled=off");
    assertThat(Fabric.get(systems.get(0)).domains()).isEmpty();
  }

  @Test
  void shouldFormOfTheOldestAndAgainAfterALoss() throws Exception {
    addNode(2);
    CompletableFuture<Team> first = nodes.get(0).form().toCompletableFuture();
    addNode(2);
    addNode(2);
    CompletableFuture<Team> third = nodes.get(2).form().toCompletableFuture();
    assertThat(first).as("two are needed, one has called").isNotDone();

    Team older = join(nodes.get(1).form().toCompletableFuture());
    Team oldest = join(first);

    assertThat(oldest.rank()).isZero();
    assertThat(older.rank()).isEqualTo(1);
    assertThat(older.context()).isEqualTo(oldest.context());
    requireSum(List.of(oldest, older), 2);
    assertThat(third).as("the youngest waits").isNotDone();

    var waiting = oldest.barrier().toCompletableFuture();
    systems.get(1).terminate();
    assertThat(waiting.handle((done, failure) -> failure).get(PATIENCE_S, TimeUnit.SECONDS))
        .as("the loss is noticed")
        .isNotNull();
    Team again = join(nodes.get(0).form().toCompletableFuture());
    Team youngest = join(third);

    assertThat(again.rank()).isZero();
    assertThat(youngest.rank()).isEqualTo(1);
    requireSum(List.of(again, youngest), 2);
  }

  @Test
  void shouldFailAtOnceAtEachMemberIfTheirBuildsDoNotFit() {
    addNode(2, "", new Protocols(7, 7));
    addNode(2, "", new Protocols(8, 9));

    requireMisfit(nodes.get(0), systems.get(1), "8..9", "7");
    requireMisfit(nodes.get(1), systems.get(0), "7", "8..9");
    // A second call tells the same.
    requireMisfit(nodes.get(1), systems.get(0), "7", "8..9");
  }

  private static void requireMisfit(
      ClusterTeam node, ActorSystem<?> refuser, String theirs, String ours) {
    assertThat(node.form().toCompletableFuture())
        .failsWithin(Duration.ofSeconds(PATIENCE_S))
        .withThrowableThat()
        .withCauseInstanceOf(FabricException.class)
        .matches(e -> ((FabricException) e.getCause()).error() == FabricError.INVALID)
        .withMessageContaining(
            "[%s] speaks protocol=%s, the node that asks it speaks protocol=%s",
            refuser.address(), theirs, ours);
  }

  @Test
  void shouldWaitForMembersUntilItIsClosed() {
    addNode(0);
    ActorSystem<Void> system = systems.get(0);
    // #form
    ClusterTeam nodes = ClusterTeam.of(system, "worker", 4); // at every node that has the role
    CompletionStage<Team> team = nodes.form(); // and again when the team has lost a member
    // #form
    assertThat(team.toCompletableFuture()).isNotDone();

    nodes.close();

    assertThat(team.toCompletableFuture())
        .failsWithin(Duration.ofSeconds(PATIENCE_S))
        .withThrowableThat()
        .withMessageContaining("closed");
  }

  @Test
  void shouldFormOfMembersOfAnyRoleWithShortNames() throws Exception {
    addNode(0);
    addNode(0, "akka.cluster.roles = []");
    for (ActorSystem<Void> system : systems) {
      nodes.add(ClusterTeam.of(system, 2));
    }
    var forming = nodes.stream().map(node -> node.form().toCompletableFuture()).toList();
    List<Team> teams = List.of(join(forming.get(0)), join(forming.get(1)));

    requireSum(teams, 2);
    assertThat(Fabric.get(systems.get(1)).domains())
        .extracting(domain -> domain.name())
        .containsExactly("cluster-team");
  }

  @Test
  void shouldBeginBeforeTheNodeHasJoined() {
    ActorSystem<Void> system =
        ActorSystem.create(
            Behaviors.empty(),
            "nodes",
            ConfigFactory.parseString(NODE).withFallback(ConfigFactory.load()));
    systems.add(system);
    nodes.add(ClusterTeam.of(system, "worker", 1));
    var forming = nodes.get(0).form().toCompletableFuture();
    Cluster.get(system).manager().tell(Join.create(Cluster.get(system).selfMember().address()));

    assertThat(forming).succeedsWithin(Duration.ofSeconds(PATIENCE_S));
  }

  @Test
  void shouldRefuseARoleThatTheNodeDoesNotHave() {
    addNode(1);
    assertThatThrownBy(() -> ClusterTeam.of(systems.get(0), "boss", 1))
        .hasMessageContaining("role=boss is not among the roles [worker")
        .hasMessageContaining("ClusterTeam.of(system, size)");
    assertThatThrownBy(() -> ClusterTeam.of(systems.get(0), "worker", 0))
        .hasMessage("size=0 < 1, a team has a member");
  }
}
