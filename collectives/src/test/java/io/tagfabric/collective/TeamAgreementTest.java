package io.tagfabric.collective;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import io.tagfabric.collective.reduce.Reduction;
import io.tagfabric.collective.run.SharedMemoryUse;
import io.tagfabric.endpoint.Endpoint;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What members agree on, and that it costs no message where they share a cell or the memory of a
 * host; and only if they call the same.
 */
class TeamAgreementTest {
  @TempDir private static Path directory;
  private static ActorTestKit kit;

  @BeforeAll
  static void start() {
    kit = Crew.kitWithHostDirectory(directory);
  }

  @AfterAll
  static void stop() {
    kit.shutdownTestKit();
  }

  private static Crew inACell(int size) {
    return new Crew(kit.system(), size, settings -> settings);
  }

  private static Crew inMemory(int size) {
    return new Crew(
        kit.system(),
        size,
        settings -> settings.withSharedCell(false).withSharedMemory(SharedMemoryUse.ALWAYS));
  }

  /** What the members' flows have sent, by endpoint and flow. */
  private static List<String> sent(Crew crew) {
    crew.settle();
    List<String> sent = new ArrayList<>();
    for (Endpoint endpoint : crew.endpoints) {
      var flows = endpoint.futures().flows().toCompletableFuture();
      crew.settle();
      flows
          .join()
          .flows()
          .forEach(
              flow ->
                  sent.add(
                      endpoint.address().name()
                          + " to "
                          + flow.peer()
                          + " packets="
                          + flow.counters().packetsSent()));
    }
    return sent;
  }

  private static void agreeShrinkAndClose(Crew crew) {
    for (int time = 0; time < 20; time++) {
      assertThat(crew.all(team -> team.agree(~(1L << team.rank()))))
          .containsOnly(new Team.Agreement(-1L << crew.size(), List.of()));
    }
    assertThat(crew.all(Team::shrink)).allMatch(team -> team.size() == crew.size());
    crew.all(team -> team.createFrom(Ranks.range(0, crew.size())));
    crew.team(1).close();
    crew.team(crew.size() - 1).close();
    crew.settle();
    List<CompletableFuture<Team>> rest = new ArrayList<>();
    for (Team team : crew.teams) {
      if (team.rank() != 1 && team.rank() != crew.size() - 1) {
        rest.add(team.shrink().toCompletableFuture());
      }
    }
    crew.settle();
    assertThat(rest).allSatisfy(each -> assertThat(each).isCompleted());
    assertThat(rest.get(0).join().size()).isEqualTo(crew.size() - 2);
    crew.teams.forEach(Team::close);
    crew.settle();
  }

  @Test
  void shouldOpenNoFlowInACell() {
    try (Crew crew = inACell(8)) {
      crew.all(Team::barrier);
      agreeShrinkAndClose(crew);

      assertThat(sent(crew)).isEmpty();
    }
  }

  @Test
  void shouldSendNothingOnceMembersHaveMetInTheMemoryOfTheirHost() {
    try (Crew crew = inMemory(8)) {
      crew.all(Team::barrier);
      List<String> before = sent(crew);
      agreeShrinkAndClose(crew);

      assertThat(sent(crew)).isEqualTo(before);
    }
  }

  @Test
  void shouldAgreeInTheMemoryOfABrokenTeam() {
    try (Crew crew = inMemory(6)) {
      crew.all(Team::barrier);
      List<String> before = sent(crew);
      crew.team(4).revoke();
      crew.settle();

      assertThat(crew.teams).allSatisfy(team -> assertThat(team.failure()).isNotNull());
      assertThat(crew.all(team -> team.agree(6))).containsOnly(new Team.Agreement(6, List.of()));
      List<Team> shrunk = crew.all(Team::shrink);
      assertThat(sent(crew)).isEqualTo(before);
      List<CompletableFuture<long[]>> sums = new ArrayList<>();
      shrunk.forEach(
          team -> sums.add(team.allreduce(new long[] {1}, Reduction.SUM).toCompletableFuture()));
      crew.settle();
      assertThat(sums).allSatisfy(each -> assertThat(each.join()).containsExactly(6));
    }
  }

  @Test
  void shouldAgreeOnWhoIsLostWhenAMemberEndsWhileTheyAgree() {
    for (int victim = 0; victim < 5; victim++) {
      try (Crew crew = inMemory(5)) {
        crew.all(Team::barrier);
        int lost = victim;
        List<CompletableFuture<Team.Agreement>> agreements = new ArrayList<>();
        for (Team team : crew.teams) {
          if (team.rank() != lost) {
            agreements.add(team.agree(team.rank()).toCompletableFuture());
          }
        }
        crew.settle();
        assertThat(agreements).noneMatch(CompletableFuture::isDone);

        crew.endpoints.get(lost).close(Duration.ZERO).toCompletableFuture().join();
        crew.settle();

        assertThat(agreements)
            .allSatisfy(
                each -> {
                  assertThat(each).isCompleted();
                  assertThat(each.join().lost()).containsExactly(lost);
                });
      }
    }
  }

  @Test
  void shouldRefuseAnAgreementThatIsAShrinkAtAnotherMember() {
    for (Crew crew : List.of(inACell(4), inMemory(4))) {
      try (crew) {
        crew.all(Team::barrier);
        List<CompletableFuture<?>> calls = new ArrayList<>();
        for (Team team : crew.teams) {
          calls.add((team.rank() == 2 ? team.shrink() : team.agree(1)).toCompletableFuture());
        }
        crew.settle();

        assertThat(calls)
            .allSatisfy(
                each ->
                    assertThat(each)
                        .isCompletedExceptionally()
                        .failsWithin(Duration.ofSeconds(1))
                        .withThrowableThat()
                        .havingRootCause()
                        .withMessageContaining("rank 2 [member-2")
                        .withMessageContaining("calls [shrink] where rank 0 calls [agree]"));
        assertThat(crew.all(team -> team.agree(3))).containsOnly(new Team.Agreement(3, List.of()));
      }
    }
  }
}
