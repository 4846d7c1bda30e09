package io.tagfabric.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.tagfabric.collective.reduce.Reduction;
import io.tagfabric.collective.run.TeamException;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One member cannot reach another any more, which is alive and notices nothing. */
class TeamGivenUpTest {
  private static Throwable failureOf(CompletableFuture<?> call) {
    Throwable failure = catchThrowable(call::join);
    return failure.getCause() == null ? failure : failure.getCause();
  }

  @ParameterizedTest
  @CsvSource({"3, 2, 0", "3, 0, 2", "5, 1, 4", "18, 17, 3"})
  void shouldEndItsCallsWhenAnotherMemberHasGivenItUp(int size, int by, int lost) {
    try (Fleet fleet = new Fleet("shm", Fleet.alike(size, ""), settings -> settings)) {
      fleet.all(Team::barrier);
      List<CompletableFuture<?>> calls = new ArrayList<>();
      for (Team team : fleet.teams) {
        if (team.rank() != by) {
          calls.add(team.allreduce(new long[] {1}, Reduction.SUM).toCompletableFuture());
        }
      }
      int peer = fleet.domains.get(by).addressVector().insert(fleet.endpoints.get(lost).address());
      fleet
          .endpoints
          .get(by)
          .ref()
          .tell(new Endpoint.PeerGone(peer, FabricError.TIMED_OUT, "it was silent"));
      fleet.await(calls);

      assertThat(calls)
          .allSatisfy(
              each ->
                  assertThat(failureOf(each))
                      .isInstanceOf(TeamException.class)
                      .hasMessageContaining("rank " + lost + " [")
                      .hasMessageContaining("it was silent"));
      assertThat(fleet.teams.get(lost).failure())
          .hasMessageContaining("has been given up by others");

      List<CompletableFuture<Team>> shrunk = fleet.start(Team::shrink);
      fleet.await(shrunk);
      assertThat(failureOf(shrunk.get(lost))).hasMessageContaining("has been given up by others");
      shrunk.stream()
          .filter(each -> each != shrunk.get(lost))
          .forEach(each -> assertThat(each.join().size()).isEqualTo(size - 1));
    }
  }
}
