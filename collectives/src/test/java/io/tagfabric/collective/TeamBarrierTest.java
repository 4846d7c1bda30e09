package io.tagfabric.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import akka.Done;
import akka.actor.testkit.typed.javadsl.ActorTestKit;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.collective.run.CollectiveCall;
import io.tagfabric.collective.run.CollectiveCompletion;
import io.tagfabric.collective.run.CollectiveTags;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Barriers of a team, in a cell and by messages. */
class TeamBarrierTest {
  private static final ActorTestKit KIT =
      ActorTestKit.create(
          "barrier",
          ConfigFactory.parseMap(Map.of("akka.actor.provider", "local"))
              .withFallback(ConfigFactory.load()));

  @AfterAll
  static void stop() {
    KIT.shutdownTestKit();
  }

  private static Crew crew(int size, boolean cell) {
    return new Crew(KIT.system(), size, settings -> settings.withSharedCell(cell));
  }

  private static CompletableFuture<Done> enter(Crew crew, int rank) {
    return crew.team(rank).barrier().toCompletableFuture();
  }

  private static FabricException failureOf(CompletableFuture<?> future) {
    assertThat(future).isDone();
    return (FabricException) catchThrowable(future::join).getCause();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 33})
  void shouldCompleteWithLogarithmicMessagesWhenAllHaveEntered(int size) {
    try (Crew crew = crew(size, false)) {
      List<CollectiveCompletion> crossed =
          crew.collective(team -> team.start(CollectiveCall.barrier()));

      int rounds = (int) Math.ceil(Math.log(size) / Math.log(2));
      assertThat(crossed).allMatch(each -> each.messages() == rounds);
    }
  }

  @ParameterizedTest
  @CsvSource({"2, true", "2, false", "3, false", "5, true", "8, false", "9, false", "33, false"})
  void shouldHoldEverybodyWhileOneIsMissing(int size, boolean cell) {
    for (int missing = 0; missing < size; missing += Math.max(1, size / 4)) {
      try (Crew crew = crew(size, cell)) {
        List<CompletableFuture<Done>> entered = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
          if (rank != missing) {
            entered.add(enter(crew, rank));
          }
        }
        crew.settle();
        assertThat(entered).noneMatch(CompletableFuture::isDone);

        entered.add(enter(crew, missing));
        crew.settle();
        assertThat(entered).allSatisfy(each -> assertThat(each).isCompleted());
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"1, false", "2, false", "3, true", "5, false", "8, true", "9, false"})
  void shouldKeepBarriersApartWhenMembersRunAtTheirOwnPace(int size, boolean cell) {
    int epochs = 12;
    Random random = new Random(size);
    try (Crew crew = crew(size, cell)) {
      int[] entered = new int[size];
      List<List<CompletableFuture<Done>>> futures = new ArrayList<>();
      for (int rank = 0; rank < size; rank++) {
        futures.add(new ArrayList<>());
      }
      for (int left = size * epochs; left > 0; left--) {
        int rank = random.nextInt(size);
        while (entered[rank] == epochs) {
          rank = (rank + 1) % size;
        }
        futures.get(rank).add(enter(crew, rank));
        entered[rank]++;
        crew.settle();

        int slowest = epochs;
        for (int each : entered) {
          slowest = Math.min(slowest, each);
        }
        for (List<CompletableFuture<Done>> own : futures) {
          assertThat(own.stream().filter(CompletableFuture::isDone).count()).isEqualTo(slowest);
        }
      }
      assertThat(futures)
          .allSatisfy(own -> assertThat(own).noneMatch(each -> each.isCompletedExceptionally()));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldLeaveNothingBehindWhenMembersCloseAfterTheLastBarrier(boolean cell) {
    try (Crew crew = crew(3, cell)) {
      crew.all(Team::barrier);

      crew.teams.forEach(Team::close);
      crew.settle();

      for (Endpoint endpoint : crew.endpoints) {
        var state = endpoint.futures().matcherState().toCompletableFuture().join();
        assertThat(state.postedReceives()).isZero();
        assertThat(state.unexpectedMessages()).isZero();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldFailWhenItsOwnEndpointCloses(boolean cell) {
    try (Crew crew = crew(2, cell)) {
      CompletableFuture<Done> entered = enter(crew, 0);
      crew.settle();

      crew.endpoints.get(0).close(Duration.ZERO).toCompletableFuture().join();
      crew.settle();

      assertThat(failureOf(entered).error()).isEqualTo(FabricError.CANCELED);
      assertThat(failureOf(enter(crew, 0)).error()).isEqualTo(FabricError.CANCELED);
    }
  }

  @Test
  void shouldBreakWhenSomebodyElseUsesItsTags() {
    try (Crew crew = crew(2, false)) {
      crew.endpoints
          .get(1)
          .futures()
          .sendTagged(
              crew.domain.addressVector().insert(crew.endpoints.get(0).address()),
              new byte[] {99},
              CollectiveTags.control(crew.team(0).context()))
          .toCompletableFuture()
          .join();
      crew.settle();

      assertThat(failureOf(enter(crew, 0)))
          .hasMessageContaining("rank 1")
          .hasMessageContaining(
              "sends with tag=0xc703000007000000, leave tags of collectives alone");
    }
  }

  @Test
  void shouldRefuseATeamThatIsNone() {
    try (Crew crew = crew(2, false)) {
      Endpoint endpoint = crew.endpoints.get(0);
      var members = List.of(endpoint.address(), crew.endpoints.get(1).address());
      assertThatThrownBy(() -> Team.open(crew.domain, endpoint, members.subList(1, 2), 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("is not among the members");
      assertThatThrownBy(
              () ->
                  Team.open(
                      crew.domain, endpoint, List.of(endpoint.address(), endpoint.address()), 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("members 0 and 1 are both");
      assertThatThrownBy(() -> Team.open(crew.domain, endpoint, members, -1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("context=-1 is outside 0..65535, choose another context");
      try (Crew stranger = crew(1, false)) {
        assertThatThrownBy(() -> Team.open(stranger.domain, endpoint, members, 1))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("is not of domain");
      }
    }
  }
}
