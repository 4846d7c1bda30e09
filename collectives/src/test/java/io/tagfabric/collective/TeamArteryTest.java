package io.tagfabric.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Behaviors;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.collective.reduce.Elements;
import io.tagfabric.collective.reduce.Reduction;
import io.tagfabric.collective.run.CollectiveCompletion;
import io.tagfabric.collective.run.CollectiveSettings;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.progress.ProgressMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two ActorSystems and Akka remoting between them, with two members in each. */
class TeamArteryTest {
  private static final int SIZE = 4;
  private static final long DEADLINE_S = 60;
  private static final String REMOTE =
      """
      akka.loglevel = ERROR
      akka.log-dead-letters = off
      akka.actor.provider = remote
      akka.remote.artery { transport = tcp, canonical { hostname = "127.0.0.1", port = 0 } }
      tagfabric.provider.use = ["artery", "local"]
      """;

  private final List<ActorSystem<Void>> systems = new ArrayList<>();
  private final List<Domain> domains = new ArrayList<>();
  private final List<Endpoint> endpoints = new ArrayList<>();
  private final List<Team> teams = new ArrayList<>();

  @BeforeEach
  void start() {
    var config = ConfigFactory.parseString(REMOTE).withFallback(ConfigFactory.load());
    for (int node = 0; node < 2; node++) {
      systems.add(ActorSystem.create(Behaviors.empty(), "node-" + node, config));
      domains.add(Fabric.get(systems.get(node)).openDomain("team", ProgressMode.AUTO));
    }
    for (int rank = 0; rank < SIZE; rank++) {
      endpoints.add(domains.get(rank / 2).openEndpoint("member-" + rank));
    }
    List<EndpointAddress> members = endpoints.stream().map(Endpoint::address).toList();
    for (int rank = 0; rank < SIZE; rank++) {
      Domain domain = domains.get(rank / 2);
      CollectiveSettings settings =
          CollectiveSettings.of(domain.fabric().settings()).withSharedCell(false).withChecked(true);
      teams.add(Team.open(domain, endpoints.get(rank), members, 3, settings));
    }
  }

  @AfterEach
  void stop() {
    domains.forEach(domain -> domain.close(Duration.ofSeconds(1)));
    systems.forEach(ActorSystem::terminate);
    systems.forEach(system -> system.getWhenTerminated().toCompletableFuture().join());
  }

  @Test
  void shouldSumShortAndLongVectorsBetweenNodes() throws Exception {
    for (int count : new int[] {1, 1000, 100_000}) {
      List<Elements> data =
          Stream.generate(() -> Elements.of(new double[count])).limit(SIZE).toList();
      for (int rank = 0; rank < SIZE; rank++) {
        data.get(rank).buffer().putDouble(0, rank + 1);
      }
      List<CompletableFuture<CollectiveCompletion>> sums = new ArrayList<>();
      for (int rank = 0; rank < SIZE; rank++) {
        sums.add(teams.get(rank).allreduce(data.get(rank), Reduction.SUM).toCompletableFuture());
      }
      for (int rank = 0; rank < SIZE; rank++) {
        assertThat(sums.get(rank).get(DEADLINE_S, TimeUnit.SECONDS).tier()).isEqualTo("messages");
        assertThat(data.get(rank).doubles()[0]).isEqualTo(10);
      }
    }
  }

  @Test
  void shouldNameTheMemberWhenItsNodeCloses() {
    List<CompletableFuture<?>> barriers = new ArrayList<>();
    teams.forEach(team -> barriers.add(team.barrier().toCompletableFuture()));
    barriers.forEach(each -> each.orTimeout(DEADLINE_S, TimeUnit.SECONDS).join());

    CompletableFuture<?> waiting = teams.get(0).barrier().toCompletableFuture();
    domains.get(1).close(Duration.ofSeconds(1));

    Throwable failure =
        catchThrowable(() -> waiting.orTimeout(DEADLINE_S, TimeUnit.SECONDS).join());
    assertThat(failure).hasRootCauseInstanceOf(io.tagfabric.error.FabricException.class);
    assertThat(failure.getCause().getMessage()).containsAnyOf("rank 2", "rank 3");
  }
}
