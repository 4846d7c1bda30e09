package io.tagfabric.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.collective.reduce.Elements;
import io.tagfabric.collective.reduce.Reduction;
import io.tagfabric.collective.run.CollectiveSettings;
import io.tagfabric.collective.run.SharedMemoryUse;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TeamMakingTest {
  /** As many messages as wait for a call of createFrom. */
  private static final int TOO_MANY = 1024;

  private static ActorTestKit kit;

  @BeforeAll
  static void start() {
    kit =
        ActorTestKit.create(
            "team-making",
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

  private static CompletableFuture<Team> dup(Team team) {
    return team.dup().toCompletableFuture();
  }

  /** Sums ones in a team of these members. */
  private static void requireWorks(Crew crew, List<Team> members) {
    List<CompletableFuture<long[]>> sums = new ArrayList<>();
    for (Team member : members) {
      sums.add(member.allreduce(new long[] {1}, Reduction.SUM).toCompletableFuture());
    }
    crew.settle();
    assertThat(sums)
        .allSatisfy(
            sum -> {
              assertThat(sum).isCompleted();
              assertThat(sum.join()).containsExactly(members.size());
            });
  }

  private static FabricException failureOf(CompletableFuture<?> future) {
    assertThat(future).isCompletedExceptionally();
    return (FabricException) catchThrowable(future::join).getCause();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("tiers")
  void shouldMakeTeamsOfTeamsThatShareAMemberAtTheSameTime(
      String tier, Function<CollectiveSettings, CollectiveSettings> change) {
    try (Crew crew = crew(3, change)) {
      List<Team> left = crew.all(t -> t.create(List.of(0, 1)));
      List<Team> right = crew.all(t -> t.create(List.of(1, 2)));

      List<CompletableFuture<Team>> ofLeft = List.of(dup(left.get(0)), dup(left.get(1)));
      List<CompletableFuture<Team>> ofRight = List.of(dup(right.get(2)), dup(right.get(1)));
      crew.settle();

      requireWorks(crew, ofLeft.stream().map(CompletableFuture::join).toList());
      requireWorks(crew, List.of(ofRight.get(1).join(), ofRight.get(0).join()));
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("tiers")
  void shouldMakeTeamsOfOneTeamInTheOrderOfItsCallsWhenSeveralAreUnderWay(
      String tier, Function<CollectiveSettings, CollectiveSettings> change) {
    try (Crew crew = crew(4, change)) {
      List<CompletableFuture<Team>> dups = crew.start(Team::dup);
      List<CompletableFuture<Team>> halves = crew.start(t -> t.split(t.rank() % 2, t.rank()));
      List<CompletableFuture<Team>> others = crew.start(Team::dup);
      crew.settle();

      requireWorks(crew, others.stream().map(CompletableFuture::join).toList());
      requireWorks(crew, dups.stream().map(CompletableFuture::join).toList());
      requireWorks(crew, List.of(halves.get(0).join(), halves.get(2).join()));
      requireWorks(crew, List.of(halves.get(1).join(), halves.get(3).join()));
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("tiers")
  void shouldFailAtAllMembersByNameWhenTheyMakeDifferentTeams(
      String tier, Function<CollectiveSettings, CollectiveSettings> change) {
    try (Crew crew = crew(4, change)) {
      List<CompletableFuture<Team>> made =
          crew.start(t -> t.rank() == 2 ? t.dup() : t.split(0, t.rank()));
      List<CompletableFuture<Team>> listed =
          crew.start(t -> t.create(t.rank() == 3 ? List.of(1, 0) : List.of(0, 1)));
      crew.settle();

      assertThat(made)
          .allSatisfy(
              each ->
                  assertThat(failureOf(each))
                      .hasMessageStartingWith("team 7: rank 2 [member-2")
                      .hasMessageContaining("calls [dup] where rank 0 calls [split]")
                      .extracting(FabricException::error)
                      .isEqualTo(FabricError.INVALID));
      assertThat(listed)
          .allSatisfy(
              each ->
                  assertThat(failureOf(each))
                      .hasMessageStartingWith("team 7: rank 3 [member-3")
                      .hasMessageContaining("calls [create] with other ranks than rank 0"));
      requireWorks(crew, crew.teams);
    }
  }

  @Test
  void shouldRefuseARankThatIsNamedTwice() {
    try (Crew crew = crew(3, settings -> settings)) {
      assertThatThrownBy(() -> crew.team(0).create(List.of(1, 0, 1)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("rank=1 is there twice, name each once");
      assertThatThrownBy(() -> crew.team(0).create(List.of(3)))
          .hasMessage("rank=3 is outside 0..2, name ranks of the team");
    }
  }

  @Test
  void shouldMakeATeamAtAllMembersOrAtNoneWhenOneHasNotMadeItsCall() {
    for (int passes = 0; passes < 12; passes++) {
      try (Crew crew = crew(5, settings -> settings.withSharedCell(false))) {
        List<CompletableFuture<Team>> made = crew.start(Team::dup);
        for (int pass = 0; pass < passes; pass++) {
          crew.domain.loop().advance();
        }
        crew.team(3).revoke();
        crew.settle();

        assertThat(made).allMatch(CompletableFuture::isDone);
        long good = made.stream().filter(each -> !each.isCompletedExceptionally()).count();
        assertThat(good).as("teams made, revoked after %s passes", passes).isIn(0L, 5L);
      }
    }
  }

  static Stream<Arguments> makings() {
    Function<Team, CompletionStage<Team>> dup = Team::dup;
    Function<Team, CompletionStage<Team>> split = t -> t.split(0, t.rank());
    Function<Team, CompletionStage<Team>> shrink = Team::shrink;
    Function<Team, CompletionStage<Team>> createFrom = t -> t.createFrom(t.group());
    return tiers()
        .map(Arguments::get)
        .flatMap(
            tier ->
                Stream.of(
                        Arguments.of("dup", dup),
                        Arguments.of("split", split),
                        Arguments.of("shrink", shrink),
                        Arguments.of("createFrom", createFrom))
                    .map(Arguments::get)
                    .map(making -> Arguments.of(tier[0], tier[1], making[0], making[1])));
  }

  /** A member closes its handle while it makes a team: who has made it has made it with all. */
  @ParameterizedTest(name = "{2} in {0}")
  @MethodSource("makings")
  void shouldLetAMemberThatClosesBeInTheNewTeamOfTheOthersOrNot(
      String tier,
      Function<CollectiveSettings, CollectiveSettings> change,
      String name,
      Function<Team, CompletionStage<Team>> making) {
    Set<String> ends = new TreeSet<>();
    for (int closer = 0; closer < 5; closer++) {
      for (int passes = 0; passes < 12; passes++) {
        try (Crew crew = crew(5, change)) {
          List<CompletableFuture<Team>> made = crew.start(making);
          for (int pass = 0; pass < passes; pass++) {
            crew.domain.loop().advance();
          }
          crew.team(closer).close();
          crew.settle();

          String when = name + ", rank " + closer + " closes after " + passes + " passes";
          assertThat(made).as(when).allMatch(CompletableFuture::isDone);
          List<Team> good =
              made.stream().filter(e -> !e.isCompletedExceptionally()).map(e -> e.join()).toList();
          assertThat(good).as(when).allMatch(team -> team.size() == good.size());
          requireWorks(crew, good);
          ends.add(made.get(closer).isCompletedExceptionally() ? "not there" : "there");
          assertThat(crew.team(closer).runner().members().numbers().inUse())
              .as("numbers in use, " + when)
              .isEqualTo(made.get(closer).isCompletedExceptionally() ? 0 : 1);
        }
      }
    }
    assertThat(ends).as("what became of the member that closes").contains("there");
  }

  @Test
  void shouldBreakTheTeamWhereAMemberGoesOnWithCallsThatThisOneDoesNotMake() {
    try (Crew crew = crew(3, settings -> settings.withSharedCell(false))) {
      Team first = crew.team(0);
      for (int time = 0; time < 2 * TOO_MANY; time++) {
        crew.team(2).createFrom(Ranks.of(0, 2));
        crew.settle();
      }

      assertThat(first.failure())
          .hasMessageContaining("rank 2 [member-2")
          .hasMessageContaining("goes on beyond 1024 messages for calls of createFrom")
          .extracting(FabricException::error)
          .isEqualTo(FabricError.INVALID);
      assertThat(first.runner().earlyMessages()).isEqualTo(TOO_MANY);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("tiers")
  void shouldUseAContextAgainWhenItsTeamIsClosed(
      String tier, Function<CollectiveSettings, CollectiveSettings> change) {
    try (Crew crew = crew(3, change)) {
      var members = crew.endpoints.stream().map(each -> each.address()).toList();
      CollectiveSettings settings =
          change.apply(CollectiveSettings.of(crew.domain.fabric().settings()));
      for (int time = 0; time < 300; time++) {
        List<Team> teams =
            crew.endpoints.stream()
                .map(each -> Team.open(crew.domain, each, members, 9, settings))
                .toList();
        assertThat(teams.get(0).context()).isEqualTo(9);
        requireWorks(crew, teams);
        assertThatThrownBy(
                () -> Team.open(crew.domain, crew.endpoints.get(0), members, 9, settings))
            .hasMessageStartingWith("context=9 is in use on this endpoint");
        teams.forEach(Team::close);
        crew.settle();
      }
    }
  }

  /** What one open team costs is not paid again for each that was there before. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("tiers")
  void shouldKeepNothingOfTeamsThatAreClosedOrBroken(
      String tier, Function<CollectiveSettings, CollectiveSettings> change) {
    try (Crew crew = crew(2, change)) {
      crew.settle();
      List<Integer> before = crew.endpoints.stream().map(each -> posted(crew, each)).toList();
      assertThat(before).allMatch(posted -> posted <= 2);
      for (int time = 0; time < 40; time++) {
        List<Team> made = crew.all(Team::dup);
        if (time % 2 == 0) {
          made.get(0).revoke();
          crew.settle();
        }
        made.forEach(Team::close);
        crew.settle();
      }

      for (Team team : crew.teams) {
        assertThat(team.runner().members().numbers().inUse()).isEqualTo(1);
      }
      for (int rank = 0; rank < 2; rank++) {
        assertThat(posted(crew, crew.endpoints.get(rank))).isEqualTo(before.get(rank));
      }
    }
  }

  /** Receives that are posted at an endpoint; no message waits for one. */
  private static int posted(Crew crew, Endpoint endpoint) {
    var state = endpoint.futures().matcherState().toCompletableFuture();
    crew.settle();
    assertThat(state.join().unexpectedMessages()).isZero();
    return state.join().postedReceives();
  }

  @Test
  void shouldDropWhatComesForATeamThatIsClosed() {
    try (Crew crew = crew(2, settings -> settings.withSharedCell(false))) {
      List<Team> made = crew.all(Team::dup);
      made.get(1).close();
      CompletionStage<?> late = made.get(0).broadcast(Elements.of(new long[1000]), 0);
      crew.settle();

      assertThat(late.toCompletableFuture()).isDone();
      var state = crew.endpoints.get(1).futures().matcherState().toCompletableFuture();
      crew.settle();
      assertThat(state.join().unexpectedMessages()).isZero();
    }
  }
}
