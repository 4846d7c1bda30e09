package io.tagfabric.collective;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.collective.reduce.Reduction;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A peer may have two messages unmatched here, and no more. */
class FewCreditsTest {
  private static final int TEAMS = 8;

  private static ActorTestKit kit;

  @BeforeAll
  static void start() {
    kit =
        ActorTestKit.create(
            "few-credits",
            ConfigFactory.parseString("akka.actor.provider=local\ntagfabric.flow.message-credits=2")
                .withFallback(ConfigFactory.load()));
  }

  @AfterAll
  static void stop() {
    kit.shutdownTestKit();
  }

  private static Crew crew(int size) {
    return new Crew(kit.system(), size, settings -> settings.withSharedCell(false));
  }

  @Test
  void shouldAgreeWhileMessagesOfCollectivesUseUpAllCredit() {
    try (Crew crew = crew(2)) {
      List<List<Team>> teams = new ArrayList<>();
      for (int i = 0; i < TEAMS; i++) {
        teams.add(crew.all(Team::dup));
      }
      // Rank 1 makes these calls after it has agreed: until then their messages wait there.
      List<CompletableFuture<long[]>> sums = new ArrayList<>();
      teams.forEach(team -> sums.add(sum(team.get(0))));
      List<CompletableFuture<?>> agreements = new ArrayList<>();
      for (Team member : crew.teams) {
        agreements.add(member.agree(5).toCompletableFuture());
        agreements.add(member.createFrom(Ranks.of(0, 1)).toCompletableFuture());
        agreements.add(member.shrink().toCompletableFuture());
      }
      crew.settle();

      assertThat(agreements).allSatisfy(each -> assertThat(each).isCompleted());
      assertThat(sums).noneMatch(CompletableFuture::isDone);

      teams.forEach(team -> sums.add(sum(team.get(1))));
      crew.settle();

      assertThat(sums).allSatisfy(each -> assertThat(each.join()).containsExactly(2));
    }
  }

  private static CompletableFuture<long[]> sum(Team team) {
    return team.allreduce(new long[] {1}, Reduction.SUM).toCompletableFuture();
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 5, 8})
  void shouldEndCallsOfManyTeamsWhicheverAMemberMakesFirst(int size) {
    try (Crew crew = crew(size)) {
      Random random = new Random(size);
      List<List<Team>> teams = new ArrayList<>();
      for (int i = 0; i < TEAMS; i++) {
        int turn = i;
        teams.add(crew.all(team -> team.split(0, (team.rank() * 3 + turn) % 7)));
      }
      for (int round = 0; round < 20; round++) {
        List<CompletableFuture<?>> calls = new ArrayList<>();
        List<List<Supplier<CompletionStage<?>>>> todo = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
          for (List<Team> team : teams) {
            Team member = team.get(rank);
            List<Supplier<CompletionStage<?>>> own = new ArrayList<>();
            own.add(() -> member.allreduce(new long[300], Reduction.SUM));
            own.add(() -> member.agree(1));
            own.add(() -> member.split(member.rank() % 2, 0));
            own.add(member::barrier);
            todo.add(own);
          }
        }
        while (!todo.isEmpty()) {
          List<Supplier<CompletionStage<?>>> one = todo.get(random.nextInt(todo.size()));
          calls.add(one.remove(0).get().toCompletableFuture());
          if (one.isEmpty()) {
            todo.remove(one);
          }
          if (random.nextInt(4) == 0) {
            crew.domain.loop().advance();
          }
        }
        crew.settle();

        assertThat(calls).allSatisfy(each -> assertThat(each).isCompleted());
      }
    }
  }
}
