package io.tagfabric.collective;

import static org.assertj.core.api.Assertions.assertThat;

import akka.Done;
import akka.actor.testkit.typed.javadsl.ActorTestKit;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.collective.reduce.Reduction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A team of very many members in one JVM. */
class TeamSizeTest {
  private static final int LOSSES = 10;

  private static ActorTestKit kit;

  @BeforeAll
  static void start() {
    kit =
        ActorTestKit.create(
            "team-size",
            ConfigFactory.parseString("akka.actor.provider=local")
                .withFallback(ConfigFactory.load()));
  }

  @AfterAll
  static void stop() {
    kit.shutdownTestKit();
  }

  private static long heapBytes() {
    for (int time = 0; time < 3; time++) {
      System.gc();
    }
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  @ParameterizedTest
  @CsvSource({"500, true, 40000", "100, false, 80000"})
  void shouldDoCollectivesAndShrink(int size, boolean cell, int mostBytes) {
    collectivesAndShrink(size, cell, mostBytes);
  }

  @ParameterizedTest
  @CsvSource({"10000, true, 40000", "1024, false, 160000"})
  @Tag("exhaustive")
  @Timeout(600)
  void shouldDoCollectivesAndShrinkWithThousandsOfMembers(int size, boolean cell, int mostBytes) {
    collectivesAndShrink(size, cell, mostBytes);
  }

  private static void collectivesAndShrink(int size, boolean cell, int mostBytes) {
    long before = heapBytes();
    try (Crew crew = new Crew(kit.system(), size, settings -> settings.withSharedCell(cell))) {
      List<Done> crossed = crew.all(Team::barrier);
      assertThat(crossed).hasSize(size);
      List<long[]> sums = crew.all(team -> team.allreduce(new long[] {1}, Reduction.SUM));
      assertThat(sums).allSatisfy(sum -> assertThat(sum).containsExactly(size));
      List<Team.Agreement> agreed = crew.all(team -> team.agree(team.rank() == 3 ? 5 : 7));
      assertThat(agreed).allMatch(each -> each.flag() == 5 && each.lost().isEmpty());
      long memberBytes = (heapBytes() - before) / size;
      assertThat(memberBytes).as("heap of a member, bytes").isLessThan(mostBytes);

      List<Integer> lost = IntStream.range(0, LOSSES).mapToObj(i -> i * size / LOSSES).toList();
      lost.forEach(rank -> crew.endpoints.get(rank).close(Duration.ZERO));
      crew.settle();
      List<CompletableFuture<Team>> shrunk = new ArrayList<>();
      for (Team team : crew.teams) {
        if (!lost.contains(team.rank())) {
          shrunk.add(team.shrink().toCompletableFuture());
        }
      }
      crew.settle();
      List<CompletableFuture<long[]>> again = new ArrayList<>();
      for (CompletableFuture<Team> each : shrunk) {
        assertThat(each).isCompleted();
        assertThat(each.join().size()).isEqualTo(size - LOSSES);
        again.add(each.join().allreduce(new long[] {1}, Reduction.SUM).toCompletableFuture());
      }
      crew.settle();
      assertThat(again)
          .allSatisfy(
              each -> {
                assertThat(each).isCompleted();
                assertThat(each.join()).containsExactly(size - LOSSES);
              });
    }
  }
}
