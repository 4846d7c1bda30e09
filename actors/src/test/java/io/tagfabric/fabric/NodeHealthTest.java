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

  private final List<NodeDeparture> gone = new CopyOnWriteArrayList<>();

  /** An endpoint on a node; later incarnations have higher uids here. */
  private static EndpointAddress on(ActorSystem<?> system, long later) {
    long uid = Cluster.get(system).selfMember().uniqueAddress().longUid();
    return new EndpointAddress(uid + later, 0, "e", system.address().toString(), "vm", Map.of());
  }

  private NodeHealth watch(ActorSystem<?> system, Duration unreachableTimeout) {
    return NodeHealth.watch(
        system, Environment.REAL.membership(system), unreachableTimeout, gone::add);
  }

  private NodeDeparture awaitDeparture(EndpointAddress of) {
    Await.until(
        of.node() + " is gone",
        () -> gone.stream().anyMatch(departure -> departure.node().equals(of.node())));
    return gone.stream()
        .filter(departure -> departure.node().equals(of.node()))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void shouldTellHowANodeHasGone() {
    try (TestCluster cluster = TestCluster.of(SIZE)) {
      NodeHealth health = watch(cluster.system(0), Duration.ofMillis(200));
      List<EndpointAddress> nodes =
          List.of(
              on(cluster.system(0), 0),
              on(cluster.system(1), 0),
              on(cluster.system(2), 0),
              on(cluster.system(3), 0));
      Await.until("all are reachable", () -> nodes.stream().allMatch(health::isReachable));
      assertThat(health.isReachable(on(cluster.system(1), 1))).isFalse();
      Cluster here = Cluster.get(cluster.system(0));

      here.manager().tell(Leave.create(cluster.system(3).address()));
      assertThat(awaitDeparture(nodes.get(3)))
          .isEqualTo(
              new NodeDeparture(
                  nodes.get(3).node(),
                  nodes.get(3).incarnation(),
                  true,
                  "its node left the cluster"));

      here.manager().tell(Down.apply(cluster.system(2).address()));
      NodeDeparture downed = awaitDeparture(nodes.get(2));
      assertThat(downed.orderly()).isFalse();
      assertThat(downed.detail()).isEqualTo("its node was downed");
      assertThat(health.isReachable(nodes.get(2))).isFalse();

      // ends without leaving the cluster
      CoordinatedShutdown.get(cluster.system(1))
          .run(
              CoordinatedShutdown.unknownReason(),
              Optional.of(CoordinatedShutdown.PhaseActorSystemTerminate()));
      Await.until("rank 1 is missed", () -> !health.isReachable(nodes.get(1)));
      NodeDeparture silent = awaitDeparture(nodes.get(1));
      assertThat(silent.orderly()).isFalse();
      assertThat(silent.detail()).contains("membership.unreachable-timeout=200 ms");
      assertThat(gone).hasSize(SIZE - 1);
      assertThat(health.isReachable(nodes.get(0))).isTrue();
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
      NodeHealth health = watch(system, Duration.ZERO);

      assertThat(Environment.REAL.membership(system).status()).isEqualTo(Membership.Status.OUTSIDE);
      assertThat(
              health.isReachable(
                  new EndpointAddress(1, 0, "e", system.address().toString(), "vm", Map.of())))
          .isFalse();
      assertThat(gone).isEmpty();
    } finally {
      system.terminate();
      Await.get(system.getWhenTerminated());
    }
  }
}
