package io.tagfabric.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.collective.reduce.ElementKind;
import io.tagfabric.collective.reduce.Elements;
import io.tagfabric.collective.reduce.ReduceOp;
import io.tagfabric.collective.reduce.Reduction;
import io.tagfabric.collective.run.CollectiveCompletion;
import io.tagfabric.collective.run.CollectiveSettings;
import io.tagfabric.collective.run.SharedMemoryUse;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TeamFailureTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static ActorTestKit kit;

  @BeforeAll
  static void start() {
    kit =
        ActorTestKit.create(
            "team-failure",
            ConfigFactory.parseString("akka.actor.provider=local")
                .withFallback(ConfigFactory.load()));
  }

  @AfterAll
  static void stop() {
    kit.shutdownTestKit();
  }

  static Stream<Arguments> tiers() {
    Function<CollectiveSettings, CollectiveSettings> cell = settings -> settings;
    Function<CollectiveSettings, CollectiveSettings> messages =
        settings -> settings.withSharedCell(false);
    Function<CollectiveSettings, CollectiveSettings> memory =
        settings -> settings.withSharedCell(false).withSharedMemory(SharedMemoryUse.ALWAYS);
    return Stream.of(
        Arguments.of("cell", cell),
        Arguments.of("messages", messages),
        Arguments.of("shared memory", memory));
  }

  private static Crew crew(int size, Function<CollectiveSettings, CollectiveSettings> change) {
    return new Crew(kit.system(), size, change);
  }

  private static FabricException failureOf(CompletableFuture<?> future) {
    assertThat(future).isCompletedExceptionally();
    Throwable failure = catchThrowable(future::join);
    return (FabricException) (failure.getCause() == null ? failure : failure.getCause());
  }

  /** Every member but one sums. */
  private static List<CompletableFuture<long[]>> sumWithout(Crew crew, int missing) {
    List<CompletableFuture<long[]>> sums = new ArrayList<>();
    for (Team team : crew.teams) {
      if (team.rank() != missing) {
        sums.add(team.allreduce(new long[] {1}, Reduction.SUM).toCompletableFuture());
      }
    }
    crew.settle();
    return sums;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("tiers")
  void shouldEndEveryCallWithTheRankWhenAMemberLeaves(
      String tier, Function<CollectiveSettings, CollectiveSettings> change) {
    for (int size : new int[] {2, 3, 5, 8}) {
      try (Crew crew = crew(size, change)) {
        int leaver = size / 2;
        List<CompletableFuture<long[]>> sums = sumWithout(crew, leaver);
        assertThat(sums).noneMatch(CompletableFuture::isDone);

        crew.team(leaver).close();
        crew.settle();

        assertThat(sums)
            .allSatisfy(
                each ->
                    assertThat(failureOf(each).getMessage())
                        .startsWith("team 7: rank " + leaver + " [member-" + leaver));
        assertThat(crew.team(0).gone()).containsExactly(leaver);
        assertThat(crew.team(0).failure().rank()).isEqualTo(leaver);
        assertThat(crew.team(0).failure().isGone()).isTrue();
        assertThat(crew.team(0).failure().gone()).containsExactly(leaver);
        var later = crew.team(0).barrier().toCompletableFuture();
        crew.settle();
        assertThat(failureOf(later).getMessage()).contains("rank " + leaver);
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("tiers")
  void shouldEndEveryCallWhenAMembersEndpointCloses(
      String tier, Function<CollectiveSettings, CollectiveSettings> change) {
    try (Crew crew = crew(4, change)) {
      crew.all(Team::barrier);
      List<CompletableFuture<long[]>> sums = sumWithout(crew, 2);

      crew.endpoints.get(2).close(Duration.ZERO);
      crew.settle();

      assertThat(sums)
          .allSatisfy(each -> assertThat(failureOf(each)).hasMessageContaining("rank 2"));
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("tiers")
  void shouldLetCallsFinishThatALeaverHasFinished(
      String tier, Function<CollectiveSettings, CollectiveSettings> change) {
    try (Crew crew = crew(5, change)) {
      var done = crew.start(t -> t.allreduce(new long[] {1}, Reduction.SUM));
      crew.settle();
      crew.team(3).close();
      crew.settle();

      assertThat(done).allSatisfy(each -> assertThat(each.join()).containsExactly(5));
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("tiers")
  void shouldEndCallsAtAllMembersWhenOneRevokes(
      String tier, Function<CollectiveSettings, CollectiveSettings> change) {
    try (Crew crew = crew(6, change)) {
      List<CompletableFuture<long[]>> sums = sumWithout(crew, 4);

      crew.team(4).revoke();
      crew.settle();

      assertThat(sums)
          .allSatisfy(
              each -> {
                assertThat(failureOf(each).error()).isEqualTo(FabricError.BAD_STATE);
                assertThat(failureOf(each))
                    .hasMessageContaining("rank 4")
                    .hasMessageEndingWith("has revoked it");
              });
      assertThat(crew.team(1).failure()).hasMessageContaining("rank 4");
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("tiers")
  void shouldAgreeAndShrinkAndGoOnWhenMembersAreGone(
      String tier, Function<CollectiveSettings, CollectiveSettings> change) {
    try (Crew crew = crew(7, change)) {
      crew.team(2).close();
      crew.team(5).close();
      crew.settle();
      List<Team> alive = crew.teams.stream().filter(t -> t.rank() != 2 && t.rank() != 5).toList();

      var agreed =
          alive.stream().map(t -> t.agree(~(1L << t.rank())).toCompletableFuture()).toList();
      crew.settle();
      var shrunk = alive.stream().map(t -> t.shrink().toCompletableFuture()).toList();
      crew.settle();

      assertThat(agreed)
          .allSatisfy(
              each ->
                  assertThat(each.join())
                      .isEqualTo(new Team.Agreement(~0b1011011L, List.of(2, 5))));
      var sums =
          shrunk.stream()
              .map(
                  each ->
                      each.join().allreduce(new long[] {1}, Reduction.SUM).toCompletableFuture())
              .toList();
      crew.settle();
      assertThat(sums).allSatisfy(each -> assertThat(each.join()).containsExactly(5));
      assertThat(shrunk.get(2).join().rank()).isEqualTo(2);
      assertThat(shrunk.get(2).join().translate(crew.team(3), 3)).isEqualTo(2);
    }
  }

  /** Its own endpoint refuses the message; the member that it is for has done nothing. */
  @Test
  void shouldBlameTheSenderAndKeepAllMembersWhenAMessageIsRefused() {
    for (int size : new int[] {2, 3, 5}) {
      for (boolean hasMet : new boolean[] {false, true}) {
        try (Crew crew = crew(size, settings -> settings.withSharedCell(false))) {
          UnsafeBuffer buffer = new UnsafeBuffer(new byte[100_000]);
          Elements data = Elements.over(ElementKind.BYTES, buffer, 0, 100_000);
          int root = size - 1;
          List<CompletableFuture<CollectiveCompletion>> calls = new ArrayList<>();
          if (hasMet) {
            crew.all(Team::barrier);
            buffer.wrap(new byte[1]); // else the bytes leave within the call
          }
          calls.add(crew.team(root).broadcast(data, root).toCompletableFuture());
          buffer.wrap(new byte[1]);
          for (int rank = 0; rank < root; rank++) {
            Elements into = Elements.bytes(new byte[100_000]);
            calls.add(crew.team(rank).broadcast(into, root).toCompletableFuture());
          }
          crew.settle();

          assertThat(calls)
              .allSatisfy(
                  each -> {
                    assertThat(failureOf(each).error()).isEqualTo(FabricError.INVALID);
                    assertThat(failureOf(each))
                        .hasMessageStartingWith("team 7: rank " + root + " [member-" + root)
                        .hasMessageContaining("cannot send to rank ");
                  });
          assertThat(crew.teams).allSatisfy(team -> assertThat(team.gone()).isEmpty());
          List<Team> shrunk = crew.all(Team::shrink);
          assertThat(shrunk).allSatisfy(team -> assertThat(team.size()).isEqualTo(size));
        }
      }
    }
  }

  @Test
  void shouldReportDifferentCallsByNameWhenChecked() {
    Function<CollectiveSettings, CollectiveSettings> checked =
        settings -> settings.withSharedCell(false).withChecked(true);
    for (int size : new int[] {2, 3, 5}) {
      try (Crew crew = crew(size, checked)) {
        var calls =
            crew.start(
                t ->
                    t.rank() == 1
                        ? t.broadcast(Elements.of(1L), 0)
                        : t.allreduce(Elements.of(1L, 2L), Reduction.SUM));
        crew.settle();

        assertThat(calls)
            .allSatisfy(
                each ->
                    assertThat(failureOf(each))
                        .hasMessageContaining("[broadcast root=0 kind=int64 bytes=8]")
                        .hasMessageContaining("[allreduce kind=int64 op=SUM bytes=16]"));
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("tiers")
  void shouldReportDifferentCountsWhenTheyMeet(
      String tier, Function<CollectiveSettings, CollectiveSettings> change) {
    try (Crew crew = crew(4, change)) {
      var calls =
          crew.start(t -> t.allreduce(Elements.of(new long[t.rank() == 3 ? 2 : 1]), Reduction.SUM));
      crew.settle();

      assertThat(calls)
          .allSatisfy(each -> assertThat(failureOf(each).error()).isEqualTo(FabricError.INVALID));
    }
  }

  /** Each kind of what an operator may throw, in each tier. */
  static Stream<Arguments> throwsInTiers() {
    return tiers()
        .flatMap(
            tier ->
                Stream.<Throwable>of(
                        new IllegalStateException("no sum today"),
                        new AssertionError("no sum today"),
                        new StackOverflowError("no sum today"),
                        new NoClassDefFoundError("no sum today"))
                    .map(
                        thrown ->
                            Arguments.of(tier.get()[0], thrown.getClass(), tier.get()[1], thrown)));
  }

  private static ReduceOp throwing(Throwable thrown) {
    return ReduceOp.ofLongs(
        "thrower",
        true,
        (left, right) -> {
          if (thrown instanceof Error error) {
            throw error;
          }
          throw (RuntimeException) thrown;
        });
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("throwsInTiers")
  void shouldFailAtAllMembersWhenAnOperatorThrows(
      String tier,
      Class<?> kind,
      Function<CollectiveSettings, CollectiveSettings> change,
      Throwable thrown) {
    try (Crew crew = crew(4, change);
        Crew others = crew(2, change)) {
      var calls = crew.start(t -> t.allreduce(Elements.of(1L), throwing(thrown)));
      crew.settle();

      assertThat(calls)
          .allSatisfy(
              each ->
                  assertThat(failureOf(each))
                      .hasMessageContaining("has an operator [thrower] that has thrown " + thrown)
                      .extracting(FabricException::error)
                      .isEqualTo(FabricError.OTHER));
      assertThat(others.all(t -> t.allreduce(new long[] {1}, Reduction.SUM)))
          .allSatisfy(sum -> assertThat(sum).containsExactly(2));
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("tiers")
  void shouldNameTheRankWhoseOperatorThrows(
      String tier, Function<CollectiveSettings, CollectiveSettings> change) {
    ReduceOp sum = ReduceOp.ofLongs("thrower", true, Long::sum);
    try (Crew crew = crew(4, change)) {
      var calls =
          crew.start(
              t ->
                  t.allreduce(
                      Elements.of(1L),
                      t.rank() == 2 ? throwing(new AssertionError("not mine")) : sum));
      crew.settle();

      assertThat(failureOf(calls.get(2)))
          .hasMessageStartingWith("team 7: rank 2 [member-2")
          .hasMessageContaining("not mine");
      assertThat(crew.teams)
          .allSatisfy(t -> assertThat(t.failure()).hasMessageStartingWith("team 7: rank 2 "));
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("tiers")
  void shouldEndTheDomainWithAGoodbyeWhenAnOperatorRunsOutOfMemory(
      String tier, Function<CollectiveSettings, CollectiveSettings> change) {
    for (Error fatal : List.of(new OutOfMemoryError("all gone"), new InternalError("all gone"))) {
      try (Crew crew = crew(3, change)) {
        var calls = crew.start(t -> t.allreduce(Elements.of(1L), throwing(fatal)));

        assertThat(
                crew.domain.await(
                    () -> calls.stream().allMatch(CompletableFuture::isDone), PATIENCE))
            .as("all calls have ended")
            .isTrue();
        assertThat(calls)
            .anySatisfy(
                each ->
                    assertThat(failureOf(each))
                        .hasMessageContaining("that has thrown " + fatal)
                        .hasMessageEndingWith(", so its domain ends"));
        assertThat(crew.domain.await(() -> crew.domain.endpoints().isEmpty(), PATIENCE))
            .as("the endpoints of the domain have closed")
            .isTrue();
      }
    }
  }

  @Test
  void shouldNotKeepLateMessagesWhenTheTeamIsBroken() {
    try (Crew crew = crew(3, settings -> settings.withSharedCell(false))) {
      var late = crew.team(0).broadcast(Elements.of(new long[10]), 0).toCompletableFuture();
      crew.team(1).revoke();
      crew.settle();

      assertThat(late).isDone();
      for (var endpoint : crew.endpoints) {
        var state = endpoint.futures().matcherState().toCompletableFuture();
        crew.settle();
        assertThat(state.join().unexpectedMessages()).isZero();
      }
    }
  }
}
