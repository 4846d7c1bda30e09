package io.tagfabric.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.collective.Team;
import io.tagfabric.collective.run.CollectiveSettings;
import io.tagfabric.simulation.world.SimulatedSystems;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TeamLossTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  /** The first loss breaks the team; the second comes to a team that is broken already. */
  @Test
  void shouldAgreeWhenMembersAreLostOneAfterTheOther() {
    try (SimulatedSystems systems = new SimulatedSystems(ConfigFactory.empty());
        SimulatedFabric fabric = SimulatedFabric.of(1, systems, true)) {
      List<SimulatedNode> nodes =
          IntStream.range(0, 4).mapToObj(rank -> fabric.open("rank-" + rank)).toList();
      List<EndpointAddress> members = nodes.stream().map(SimulatedNode::address).toList();
      List<Team> teams = nodes.stream().map(node -> open(node, members)).toList();
      List<CompletableFuture<?>> barriers =
          teams.stream().<CompletableFuture<?>>map(t -> t.barrier().toCompletableFuture()).toList();
      nodes.forEach(SimulatedNode::touch);
      assertThat(fabric.runUntil(() -> barriers.stream().allMatch(f -> f.isDone()), LONG)).isTrue();

      fabric.crash("rank-1");
      assertThat(fabric.runUntil(() -> teams.get(0).failure() != null, LONG)).isTrue();
      fabric.advance(LONG);
      fabric.crash("rank-2");
      fabric.advance(LONG);
      List<CompletableFuture<Team.Agreement>> agreed =
          List.of(
              teams.get(0).agree(0b01).toCompletableFuture(),
              teams.get(3).agree(0b11).toCompletableFuture());
      nodes.forEach(SimulatedNode::touch);

      assertThat(fabric.runUntil(() -> agreed.stream().allMatch(f -> f.isDone()), LONG)).isTrue();
      assertThat(agreed)
          .allSatisfy(
              each -> assertThat(each.join()).isEqualTo(new Team.Agreement(0b01, List.of(1, 2))));
    }
  }

  private static Team open(SimulatedNode node, List<EndpointAddress> members) {
    return Team.open(
        node.domain(),
        node.endpoint(),
        members,
        3,
        CollectiveSettings.of(node.domain().fabric().settings()).withSharedCell(false));
  }
}
