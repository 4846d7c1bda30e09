package io.tagfabric.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.collective.reduce.Elements;
import io.tagfabric.collective.reduce.ReduceOp;
import io.tagfabric.collective.reduce.Reduction;
import io.tagfabric.collective.run.CollectiveCall;
import io.tagfabric.collective.run.CollectiveSettings;
import io.tagfabric.collective.run.SharedMemoryUse;
import io.tagfabric.collective.run.TeamException;
import io.tagfabric.error.FabricError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Members that call something else than the others, or nothing. */
class TeamCallsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int SIZE = 4;

  /** Who calls something else. */
  private static final int ODD = 2;

  private static ActorTestKit kit;

  @BeforeAll
  static void start() {
    kit =
        ActorTestKit.create(
            "team-calls",
            ConfigFactory.parseString("akka.actor.provider=local")
                .withFallback(ConfigFactory.load()));
  }

  @AfterAll
  static void stop() {
    kit.shutdownTestKit();
  }

  private record Tier(String name, Function<CollectiveSettings, CollectiveSettings> change) {
    @Override
    public String toString() {
      return name;
    }
  }

  /** What all call, what one calls instead, and how that is said. */
  private record Difference(
      String name, CollectiveCall call, CollectiveCall other, String calls, String others) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static List<Tier> tiers() {
    return List.of(
        new Tier("cell", settings -> settings),
        new Tier("messages", settings -> settings.withSharedCell(false).withChecked(true)),
        new Tier(
            "memory",
            settings -> settings.withSharedCell(false).withSharedMemory(SharedMemoryUse.ALWAYS)));
  }

  private static Elements longs(int count) {
    return Elements.of(new long[count]);
  }

  private static ReduceOp named(String name) {
    return ReduceOp.ofLongs(name, true, Long::sum);
  }

  private static List<Difference> differences() {
    CollectiveCall sum = CollectiveCall.allreduce(longs(2), longs(2), Reduction.SUM);
    return List.of(
        new Difference(
            "root of a broadcast",
            CollectiveCall.broadcast(longs(3), 0),
            CollectiveCall.broadcast(longs(3), 1),
            "[broadcast root=0 kind=int64 bytes=24]",
            "[broadcast root=1 kind=int64 bytes=24]"),
        new Difference(
            "root of a reduce",
            CollectiveCall.reduce(longs(1), longs(1), Reduction.SUM, 0),
            CollectiveCall.reduce(longs(1), longs(1), Reduction.SUM, 3),
            "[reduce root=0 kind=int64 op=SUM bytes=8]",
            "[reduce root=3 kind=int64 op=SUM bytes=8]"),
        new Difference(
            "operators whose names end in the same 8 bits of hashCode",
            CollectiveCall.allreduce(longs(2), longs(2), named("Aa")),
            CollectiveCall.allreduce(longs(2), longs(2), named("BB")),
            "op=Aa",
            "op=BB"),
        new Difference(
            "kind",
            sum,
            CollectiveCall.allreduce(Elements.of(1.0, 2.0), Elements.of(0.0, 0.0), Reduction.SUM),
            "kind=int64",
            "kind=float64"),
        new Difference(
            "count",
            sum,
            CollectiveCall.allreduce(longs(1), longs(1), Reduction.SUM),
            "bytes=16",
            "bytes=8"),
        new Difference("collective", sum, CollectiveCall.barrier(), "[allreduce kind", "[barrier]"),
        new Difference(
            "one that nobody reads",
            CollectiveCall.broadcast(longs(1), 0),
            CollectiveCall.reduce(longs(1), longs(1), Reduction.SUM, 1),
            "[broadcast root=0",
            "[reduce root=1"));
  }

  static Stream<Arguments> differencesInTiers() {
    return tiers().stream()
        .flatMap(tier -> differences().stream().map(each -> Arguments.of(tier, each)));
  }

  private static TeamException failureOf(CompletableFuture<?> future) {
    assertThat(future).isCompletedExceptionally();
    Throwable failure = catchThrowable(future::join);
    return (TeamException) (failure.getCause() == null ? failure : failure.getCause());
  }

  /** Also if all members have got through the call: then the next one finds it. */
  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("differencesInTiers")
  void shouldSayWhoCallsSomethingElse(Tier tier, Difference difference) {
    try (Crew crew = new Crew(kit.system(), SIZE, tier.change())) {
      crew.all(Team::barrier);
      crew.start(t -> t.start(t.rank() == ODD ? difference.other() : difference.call()));
      crew.settle();
      List<CompletableFuture<?>> barriers = new ArrayList<>(crew.start(Team::barrier));
      crew.settle();

      assertThat(barriers)
          .allSatisfy(
              each -> {
                TeamException failure = failureOf(each);
                assertThat(failure.error()).isEqualTo(FabricError.INVALID);
                assertThat(failure)
                    .hasMessageContaining(difference.calls())
                    .hasMessageContaining(difference.others())
                    .hasMessageEndingWith("call the same everywhere");
              });
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("tiers")
  void shouldSayWhoHasNotCalledInTime(Tier tier) {
    Function<CollectiveSettings, CollectiveSettings> hurried =
        settings -> tier.change().apply(settings).withTimeout(Duration.ofMillis(200));
    try (Crew crew = new Crew(kit.system(), 5, hurried)) {
      assertThat(crew.all(t -> t.allreduce(new long[] {1}, Reduction.SUM)).get(0))
          .containsExactly(5);
      List<CompletableFuture<?>> calls = new ArrayList<>();
      for (Team team : crew.teams) {
        if (team.rank() != 1 && team.rank() != 3) {
          calls.add(team.barrier().toCompletableFuture());
        }
      }
      crew.domain.await(() -> calls.stream().allMatch(CompletableFuture::isDone), PATIENCE);
      crew.settle();

      assertThat(calls)
          .allSatisfy(
              each ->
                  assertThat(failureOf(each))
                      .hasMessageStartingWith("team 7: rank 1 [member-1")
                      .hasMessageEndingWith("has not called [barrier] in time, nor have ranks {3}")
                      .extracting(TeamException::error)
                      .isEqualTo(FabricError.TIMED_OUT));
      assertThat(crew.team(3).failure()).hasMessageContaining("rank 1 [");
      assertThat(crew.team(0).gone()).as("all are alive").isEmpty();
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("tiers")
  void shouldTimeOneCallOnly(Tier tier) {
    try (Crew crew = new Crew(kit.system(), 2, tier.change())) {
      var first = crew.team(0).start(CollectiveCall.barrier(), Duration.ofMillis(50));
      crew.domain.await(first.toCompletableFuture()::isDone, PATIENCE);

      assertThat(failureOf(first.toCompletableFuture()))
          .hasMessageContaining("rank 1 [")
          .hasMessageContaining("has not called [barrier] in time");
    }
  }

  @Test
  void shouldSayWhoCallsSomethingElseWhenAnUncheckedCallTakesTooLong() {
    Function<CollectiveSettings, CollectiveSettings> hurried =
        settings -> settings.withSharedCell(false).withTimeout(Duration.ofMillis(100));
    try (Crew crew = new Crew(kit.system(), 3, hurried)) {
      var calls = crew.start(t -> t.broadcast(longs(1), t.rank() == 2 ? 1 : 0));
      crew.domain.await(calls.get(2)::isDone, PATIENCE);

      assertThat(failureOf(calls.get(2)))
          .hasMessageContaining("[broadcast root=0")
          .hasMessageContaining("[broadcast root=1");
    }
  }
}
