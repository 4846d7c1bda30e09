package io.tagfabric.collective.run;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.progress.ProgressMode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Cells go with the members, however these end. */
class TeamCellsTest {
  private static ActorTestKit kit;

  private final Domain domain = Fabric.get(kit.system()).openDomain("cells", ProgressMode.MANUAL);
  private final List<Endpoint> endpoints =
      IntStream.range(0, 3).mapToObj(rank -> domain.openEndpoint("member-" + rank)).toList();

  @BeforeAll
  static void start() {
    kit =
        ActorTestKit.create(
            "team-cells",
            ConfigFactory.parseString("akka.actor.provider=local")
                .withFallback(ConfigFactory.load()));
  }

  @AfterAll
  static void stop() {
    kit.shutdownTestKit();
  }

  private List<ScheduleRunner> team() {
    List<EndpointAddress> all = endpoints.stream().map(Endpoint::address).toList();
    CollectiveSettings settings = CollectiveSettings.of(domain.fabric().settings());
    return endpoints.stream()
        .map(each -> Members.named(domain, each, all, null, 1))
        .map(members -> ScheduleRunner.open(members, settings))
        .toList();
  }

  private void settle() {
    while (domain.loop().advance() > 0) {
      assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }
  }

  private static void barrier(List<ScheduleRunner> team) {
    List<CompletableFuture<CollectiveCompletion>> calls =
        team.stream()
            .map(each -> each.start(CollectiveCall.barrier()).toCompletableFuture())
            .toList();
    calls.forEach(CompletableFuture::join);
  }

  @Test
  void shouldGoWithMembersThatClose() {
    int before = TeamCells.count();
    List<ScheduleRunner> team = team();
    barrier(team);
    assertThat(TeamCells.count()).isEqualTo(before + 1);

    team.forEach(ScheduleRunner::close);
    settle();

    assertThat(TeamCells.count()).isEqualTo(before);
    domain.close(Duration.ZERO);
  }

  @Test
  void shouldGoWithEndpointsWhoseTeamsNobodyCloses() {
    int before = TeamCells.count();
    barrier(team());
    endpoints.get(1).close(Duration.ZERO);
    settle();
    assertThat(TeamCells.count()).isEqualTo(before + 1);

    domain.close(Duration.ZERO);

    assertThat(TeamCells.count()).isEqualTo(before);
  }

  @Test
  void shouldGoOnceWhenEndpointsCloseAndThenTheTeamDoes() {
    int before = TeamCells.count();
    List<ScheduleRunner> team = team();
    barrier(team);
    endpoints.get(1).close(Duration.ZERO);
    settle();
    team.forEach(ScheduleRunner::close);
    settle();

    assertThat(TeamCells.count()).isEqualTo(before);
    domain.close(Duration.ZERO);
  }
}
