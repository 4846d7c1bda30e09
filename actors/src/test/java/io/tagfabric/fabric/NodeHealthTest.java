package io.tagfabric.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.CoordinatedShutdown;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Behaviors;
import akka.cluster.typed.Cluster;
import akka.cluster.typed.Down;
import akka.cluster.typed.Leave;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.runtime.Environment;
import io.tagfabric.runtime.Membership;
import io.tagfabric.runtime.NodeStatus;
import io.tagfabric.support.Await;
import io.tagfabric.support.TestCluster;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** What one node of a cluster is told of the others. */
class NodeHealthTest {
  private static final int SIZE = 4;

  private final List<NodeDeparture> departed = new CopyOnWriteArrayList<>();
  private final List<NodeDeparture> gone = new CopyOnWriteArrayList<>();

  private final NodeHealth.Listener listener =
      new NodeHealth.Listener() {
        @Override
        public void onDeparture(NodeDeparture departure) {
          departed.add(departure);
        }

        @Override
        public void onGone(NodeDeparture departure) {
          gone.add(departure);
        }
      };

  /** An endpoint on a node; later incarnations have higher uids here. */
  private static EndpointAddress on(ActorSystem<?> system, long later) {
    long uid = Cluster.get(system).selfMember().uniqueAddress().longUid();
    return new EndpointAddress(uid + later, 0, "e", system.address().toString(), "vm", Map.of());
  }

  private NodeHealth watch(ActorSystem<?> system) {
    return NodeHealth.watch(
        system, Environment.REAL.membership(system), Duration.ofHours(1), listener);
  }

  private NodeDeparture awaitDeparture(EndpointAddress of) {
    Await.until(
        of.node() + " has departed",
        () -> departed.stream().anyMatch(departure -> departure.node().equals(of.node())));
    return departed.stream()
        .filter(departure -> departure.node().equals(of.node()))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void shouldTellHowANodeHasGone() {
    try (TestCluster cluster = TestCluster.of(SIZE)) {
      NodeHealth health = watch(cluster.system(0));
      List<EndpointAddress> nodes =
          List.of(
              on(cluster.system(0), 0),
              on(cluster.system(1), 0),
              on(cluster.system(2), 0),
              on(cluster.system(3), 0));
      Await.until(
          "all are reachable",
          () -> nodes.stream().allMatch(node -> health.of(node) == NodeStatus.REACHABLE));
      assertThat(health.of(on(cluster.system(1), 1))).isEqualTo(NodeStatus.UNKNOWN);
      Cluster here = Cluster.get(cluster.system(0));

      here.manager().tell(Leave.create(cluster.system(3).address()));
      assertThat(awaitDeparture(nodes.get(3)))
          .isEqualTo(
              new NodeDeparture(
                  nodes.get(3).node(),
                  nodes.get(3).incarnation(),
                  true,
                  "its node left the cluster"));
      assertThat(health.of(nodes.get(3))).isEqualTo(NodeStatus.UNKNOWN);
      assertThat(gone).isEmpty();

      here.manager().tell(Down.apply(cluster.system(2).address()));
      NodeDeparture downed = awaitDeparture(nodes.get(2));
      assertThat(downed.orderly()).isFalse();
      assertThat(downed.detail()).isEqualTo("its node was downed");
      assertThat(health.of(nodes.get(2))).isEqualTo(NodeStatus.UNKNOWN);
      assertThat(gone).containsExactly(downed);

      // ends without leaving the cluster
      CoordinatedShutdown.get(cluster.system(1))
          .run(
              CoordinatedShutdown.unknownReason(),
              Optional.of(CoordinatedShutdown.PhaseActorSystemTerminate()));
      Await.until("rank 1 is missed", () -> health.of(nodes.get(1)) == NodeStatus.UNREACHABLE);
      assertThat(health.of(nodes.get(1)).isMember()).isTrue();
      assertThat(departed).hasSize(2);

      here.manager().tell(Down.apply(cluster.system(1).address()));
      assertThat(awaitDeparture(nodes.get(1)).detail()).isEqualTo("its node was downed");
      assertThat(health.of(nodes.get(0))).isEqualTo(NodeStatus.REACHABLE);
    }
  }

  @Test
  void shouldKnowNobodyWithoutACluster() {
    ActorSystem<Void> system =
        ActorSystem.create(
            Behaviors.empty(),
            "alone",
            ConfigFactory.parseString("akka { actor.provider = local, loglevel = ERROR }")
                .withFallback(ConfigFactory.load()));
    try {
      NodeHealth health = watch(system);

      assertThat(Environment.REAL.membership(system).status()).isEqualTo(Membership.Status.ALONE);
      assertThat(
              health.of(
                  new EndpointAddress(1, 0, "e", system.address().toString(), "vm", Map.of())))
          .isEqualTo(NodeStatus.UNKNOWN);
      assertThat(gone).isEmpty();
    } finally {
      system.terminate();
      Await.get(system.getWhenTerminated());
    }
  }
}
