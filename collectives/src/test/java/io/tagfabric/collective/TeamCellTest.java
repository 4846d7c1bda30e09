package io.tagfabric.collective;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.collective.reduce.ElementKind;
import io.tagfabric.collective.reduce.Elements;
import io.tagfabric.collective.reduce.ReduceOp;
import io.tagfabric.collective.reduce.Reduction;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What holds for members that meet in a cell, beside what holds everywhere. */
class TeamCellTest {
  private static ActorTestKit kit;

  @BeforeAll
  static void start() {
    kit =
        ActorTestKit.create(
            "team-cell",
            ConfigFactory.parseString("akka.actor.provider=local")
                .withFallback(ConfigFactory.load()));
  }

  @AfterAll
  static void stop() {
    kit.shutdownTestKit();
  }

  @Test
  void shouldNotReadAResultThatAMemberWritesOverAsSoonAsItHasIt() {
    try (Crew crew = new Crew(kit.system(), 5, settings -> settings)) {
      List<Elements> data = new ArrayList<>();
      List<CompletableFuture<Long>> results = new ArrayList<>();
      for (Team team : crew.teams) {
        Elements own = Elements.of(new long[] {1L << (8 * team.rank())});
        data.add(own);
        results.add(
            team.allreduce(own, Reduction.SUM)
                .thenApply(
                    notUsed -> {
                      long sum = own.longs()[0];
                      own.buffer().putLong(own.offset(), -1);
                      return sum;
                    })
                .toCompletableFuture());
      }
      crew.settle();

      assertThat(results)
          .allSatisfy(each -> assertThat(each).isCompletedWithValue(0x01_01_01_01_01L));
      assertThat(data).allSatisfy(each -> assertThat(each.longs()).containsExactly(-1));
    }
  }

  @Test
  void shouldCombineInPlaceInRankOrder() {
    ReduceOp compose = // x -> a*x + b
        ReduceOp.ofLongs(
            "compose",
            false,
            (f, g) -> (f >> 32) * (g >> 32) << 32 | (int) ((g >> 32) * (int) f + (int) g));
    try (Crew crew = new Crew(kit.system(), 4, settings -> settings)) {
      List<long[]> results =
          crew.all(team -> team.allreduce(new long[] {3L << 32 | team.rank() + 1}, compose));

      // (((1 * 3 + 2) * 3 + 3) * 3 + 4, and 3 to the power of 4
      assertThat(results).allSatisfy(each -> assertThat(each).containsExactly(81L << 32 | 58));
    }
  }

  @Test
  void shouldBreakTheTeamEverywhereWhenOneMembersMemoryCannotBeWritten() {
    try (Crew crew = new Crew(kit.system(), 4, settings -> settings)) {
      List<CompletableFuture<?>> sums = new ArrayList<>();
      for (Team team : crew.teams) {
        Elements output =
            Elements.over(
                ElementKind.INT64,
                team.rank() == 2 ? new Unwritable() : new UnsafeBuffer(new byte[8]),
                0,
                1);
        sums.add(team.allreduce(Elements.of(1L), output, Reduction.SUM).toCompletableFuture());
      }
      crew.settle();

      assertThat(sums).allMatch(CompletableFuture::isDone);
      assertThat(sums.get(2)).isCompletedExceptionally();
      assertThat(crew.teams)
          .allSatisfy(
              team ->
                  assertThat(team.failure())
                      .hasMessageStartingWith("team 7: rank 2 ")
                      .hasMessageContaining("cannot be written"));
    }
  }

  /** Memory that throws. */
  private static final class Unwritable extends UnsafeBuffer {
    Unwritable() {
      super(new byte[8]);
    }

    @Override
    public void putBytes(int index, DirectBuffer source, int sourceIndex, int length) {
      throw new IllegalStateException("cannot be written");
    }
  }
}
