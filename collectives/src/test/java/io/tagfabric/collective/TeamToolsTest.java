package io.tagfabric.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.collective.algorithm.Edges;
import io.tagfabric.collective.reduce.ElementKind;
import io.tagfabric.collective.reduce.Elements;
import io.tagfabric.collective.reduce.Reduction;
import io.tagfabric.collective.run.CollectiveCall;
import io.tagfabric.collective.run.CollectiveSettings;
import io.tagfabric.collective.run.SharedMemoryUse;
import io.tagfabric.collective.schedule.Blocks;
import io.tagfabric.error.FabricException;
import io.tagfabric.kryo.KryoCodecException;
import io.tagfabric.link.Posted;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TeamToolsTest {
  private static ActorTestKit kit;

  @BeforeAll
  static void start() {
    kit =
        ActorTestKit.create(
            "team-tools",
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

  private static void requireSum(Crew crew, List<Team> members, long sum) {
    List<CompletableFuture<long[]>> sums =
        members.stream()
            .map(t -> t.allreduce(new long[] {1}, Reduction.SUM).toCompletableFuture())
            .toList();
    crew.settle();
    assertThat(sums).allSatisfy(each -> assertThat(each.join()).containsExactly(sum));
  }

  @Test
  void shouldJoinAndTakeApartGroups() {
    Ranks some = Ranks.of(4, 1, 3);
    Ranks others = Ranks.of(0, 3, 4);

    assertThat(some.union(others)).isEqualTo(Ranks.of(4, 1, 3, 0));
    assertThat(some.intersection(others)).isEqualTo(Ranks.of(4, 3));
    assertThat(some.difference(others)).isEqualTo(Ranks.of(1));
    assertThat(some.translate(List.of(0, 1, 2), others)).containsExactly(2, -1, 1);
    assertThat(Ranks.range(2, 5).reversed()).isEqualTo(Ranks.of(4, 3, 2));
    assertThatThrownBy(() -> Ranks.of(1, 2, 1)).hasMessage("rank=1 is there twice, name each once");
    assertThatThrownBy(() -> Ranks.of(-1)).hasMessage("rank=-1 < 0, name ranks of the team");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("tiers")
  void shouldMakeATeamThatOnlyItsMembersCallFor(
      String tier, Function<CollectiveSettings, CollectiveSettings> change) {
    try (Crew crew = new Crew(kit.system(), 5, change)) {
      Ranks left = Ranks.of(3, 0, 1);
      Ranks right = Ranks.of(1, 4);
      List<CompletableFuture<Team>> made = new ArrayList<>();
      // Rank 1 is in both and makes them in another order than the rest; 2 takes no part.
      made.add(crew.team(1).createFrom(right).toCompletableFuture());
      made.add(crew.team(0).createFrom(left).toCompletableFuture());
      crew.settle();
      assertThat(made).noneMatch(CompletableFuture::isDone);
      made.add(crew.team(3).createFrom(left).toCompletableFuture());
      made.add(crew.team(4).createFrom(right).toCompletableFuture());
      made.add(crew.team(1).createFrom(left).toCompletableFuture());
      List<CompletableFuture<Team>> again =
          List.of(
              crew.team(0).createFrom(left).toCompletableFuture(),
              crew.team(1).createFrom(left).toCompletableFuture(),
              crew.team(3).createFrom(left).toCompletableFuture());
      crew.settle();

      requireSum(crew, List.of(made.get(0).join(), made.get(3).join()), 2);
      requireSum(crew, List.of(made.get(1).join(), made.get(2).join(), made.get(4).join()), 3);
      requireSum(crew, again.stream().map(CompletableFuture::join).toList(), 3);
      assertThat(made.get(2).join().rank()).isZero();
      assertThatThrownBy(() -> crew.team(2).createFrom(left))
          .hasMessageContaining("rank=2 is not among the ranks [3, 0, 1]");
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("tiers")
  void shouldNotMakeATeamOfAMemberThatIsGone(
      String tier, Function<CollectiveSettings, CollectiveSettings> change) {
    try (Crew crew = new Crew(kit.system(), 3, change)) {
      crew.team(2).close();
      crew.settle();
      var made = crew.team(0).createFrom(Ranks.of(2, 0, 1)).toCompletableFuture();
      var other = crew.team(1).createFrom(Ranks.of(2, 0, 1)).toCompletableFuture();
      crew.settle();

      for (var each : List.of(made, other)) {
        assertThat(each).isCompletedExceptionally();
        assertThat(catchThrowable(each::join).getCause())
            .isInstanceOf(FabricException.class)
            .hasMessageContaining("rank 2 [member-2")
            .hasMessageEndingWith("is gone");
      }
    }
  }

  @Test
  void shouldSplitByHost() {
    try (Crew crew =
        new Crew(kit.system(), 5, rank -> rank % 2, settings -> settings.withSharedCell(false))) {
      List<Team> hosts = crew.all(Team::splitByHost);

      assertThat(hosts.get(4).size()).isEqualTo(3);
      assertThat(hosts.get(4).rank()).isEqualTo(2);
      assertThat(hosts.get(3).size()).isEqualTo(2);
      assertThat(hosts.get(3).translate(crew.team(0), 1)).isZero();
    }
  }

  @Test
  void shouldFindItsWayInAGrid() {
    try (Crew crew = new Crew(kit.system(), 7, settings -> settings)) {
      List<CartesianTeam> grid =
          crew.all(t -> t.cartesian(new int[] {2, 3}, new boolean[] {false, true}));

      assertThat(grid.get(6)).as("no point is left").isNull();
      CartesianTeam last = grid.get(5);
      assertThat(last.coordinates()).containsExactly(1, 2);
      assertThat(last.rankAt(1, 3)).isEqualTo(3);
      assertThat(last.neighbour(1, 1)).isEqualTo(3);
      assertThat(last.neighbour(0, 1)).isEqualTo(CartesianTeam.NOBODY);
      assertThat(last.neighbours()).isEqualTo(new Edges(List.of(2, 3, 4), List.of(2, 4, 3)));
      assertThatThrownBy(() -> last.rankAt(1)).hasMessageContaining("coordinates=1 is not");
      assertThatThrownBy(() -> last.coordinates(6)).hasMessageContaining("rank=6 is outside 0..5");

      List<CompletableFuture<CartesianTeam>> rows =
          grid.subList(0, 6).stream()
              .map(member -> member.sub(false, true).toCompletableFuture())
              .toList();
      crew.settle();
      CartesianTeam row = rows.get(5).join();
      assertThat(row.lengths()).containsExactly(3);
      assertThat(row.coordinates()).containsExactly(2);
      assertThat(row.neighbour(0, 1)).isZero();
      assertThat(row.team().translate(last.team(), 4)).isEqualTo(1);
      assertThatThrownBy(
              () -> crew.team(0).cartesian(new int[] {4, 2}, new boolean[] {false, false}))
          .hasMessage("points=8 > members=7, make the grid smaller");
    }
  }

  @Test
  void shouldBalanceGrids() {
    assertThat(CartesianTeam.balanced(12, 2)).containsExactly(4, 3);
    assertThat(CartesianTeam.balanced(16, 2)).containsExactly(4, 4);
    assertThat(CartesianTeam.balanced(7, 3)).containsExactly(7, 1, 1);
    assertThat(CartesianTeam.balanced(30, 3)).containsExactly(5, 3, 2);
    assertThat(CartesianTeam.balanced(1, 2)).containsExactly(1, 1);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("tiers")
  void shouldStartAPreparedCallAgainAndAgain(
      String tier, Function<CollectiveSettings, CollectiveSettings> change) {
    try (Crew crew = new Crew(kit.system(), 3, change)) {
      List<Elements> data = new ArrayList<>();
      List<PreparedCollective> prepared = new ArrayList<>();
      List<Object> heard = new ArrayList<>();
      for (Team team : crew.teams) {
        Elements own = Elements.of(1L);
        data.add(own);
        prepared.add(
            team.prepare(CollectiveCall.allreduce(own, own, Reduction.SUM))
                .onEnd((completion, failure) -> heard.add(failure == null ? "done" : failure)));
      }
      assertThat(prepared.get(0).isDone()).isTrue();
      assertThatThrownBy(prepared.get(0)::stage).hasMessageContaining("started=0");
      for (int time = 1; time <= 3; time++) {
        assertThat(prepared.get(0).start()).isEqualTo(Posted.POSTED);
        crew.settle();
        assertThat(prepared.get(0).isDone()).isFalse();
        assertThat(prepared.get(0).start()).isEqualTo(Posted.TRY_AGAIN);
        assertThat(prepared.get(1).start()).isEqualTo(Posted.POSTED);
        assertThat(prepared.get(2).start()).isEqualTo(Posted.POSTED);
        crew.settle();
        assertThat(prepared).allMatch(PreparedCollective::isDone);
        assertThat(prepared.get(2).stage()).isNotNull();
        assertThat(heard).hasSize(3 * time).containsOnly("done");
      }
      assertThat(data).allSatisfy(each -> assertThat(each.longs()).containsExactly(27));

      crew.team(1).revoke();
      crew.settle();
      assertThat(prepared.get(0).start()).isEqualTo(Posted.POSTED);
      crew.settle();
      assertThat(heard.get(9)).isInstanceOf(Throwable.class);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("tiers")
  void shouldTakeBlocksOfAnyLengths(
      String tier, Function<CollectiveSettings, CollectiveSettings> change) {
    int size = 4;
    Blocks lengths = Blocks.packed(0, 1, 2, 3);
    try (Crew crew = new Crew(kit.system(), size, change)) {
      List<Elements> out = new ArrayList<>();
      for (int rank = 0; rank < size; rank++) {
        out.add(Elements.allocate(ElementKind.INT64, 6));
      }
      crew.all(t -> t.allgatherv(ranks(t.rank(), t.rank()), out.get(t.rank()), lengths));
      assertThat(out)
          .allSatisfy(each -> assertThat(each.longs()).containsExactly(1, 2, 2, 3, 3, 3));

      Elements atRoot = Elements.allocate(ElementKind.INT64, 6);
      crew.all(
          t ->
              t.gatherv(
                  ranks(t.rank(), t.rank()),
                  t.rank() == 2 ? atRoot : Elements.none(ElementKind.INT64),
                  t.rank() == 2 ? lengths : null,
                  2));
      assertThat(atRoot.longs()).containsExactly(1, 2, 2, 3, 3, 3);

      List<Elements> parts = new ArrayList<>();
      for (int rank = 0; rank < size; rank++) {
        parts.add(Elements.allocate(ElementKind.INT64, rank));
      }
      crew.all(
          t ->
              t.scatterv(
                  t.rank() == 1 ? atRoot : Elements.none(ElementKind.INT64),
                  t.rank() == 1 ? lengths : null,
                  parts.get(t.rank()),
                  1));
      assertThat(parts.get(3).longs()).containsExactly(3, 3, 3);

      crew.all(
          t ->
              t.reduceScatter(
                  Elements.of(1L, 1L, 1L, 1L, 1L, 1L),
                  lengths,
                  parts.get(t.rank()),
                  Reduction.SUM));
      assertThat(parts.get(2).longs()).containsExactly(4, 4);

      List<Elements> around = new ArrayList<>();
      for (int rank = 0; rank < size; rank++) {
        around.add(Elements.allocate(ElementKind.INT64, 2));
      }
      crew.all(
          t ->
              t.neighbourAllgather(
                  Edges.both(List.of((t.rank() + 3) % 4, (t.rank() + 1) % 4)),
                  Elements.of((long) t.rank()),
                  around.get(t.rank())));
      assertThat(around.get(0).longs()).containsExactly(3, 1);

      List<Elements> swapped = new ArrayList<>();
      for (int rank = 0; rank < size; rank++) {
        swapped.add(Elements.allocate(ElementKind.INT64, rank * size));
      }
      crew.all(
          t ->
              t.alltoallv(
                  ranks(t.rank(), 6),
                  lengths,
                  swapped.get(t.rank()),
                  Blocks.equal(size, t.rank())));
      assertThat(swapped.get(2).longs()).containsExactly(0, 0, 1, 1, 2, 2, 3, 3);
    }
  }

  private static Elements ranks(long value, int count) {
    return Elements.of(IntStream.range(0, count).mapToLong(i -> value).toArray());
  }

  @Test
  void shouldCombineLocally() {
    Elements sum = Elements.of(1L, 2L);

    Reduction.SUM.reduceLocal(Elements.of(10L, 20L), sum);

    assertThat(sum.longs()).containsExactly(11, 22);
    assertThatThrownBy(() -> Reduction.SUM.reduceLocal(Elements.of(1L), sum))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Elements[1 int64] and Elements[2 int64] cannot be combined");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("tiers")
  void shouldDoAllCollectivesOfObjects(
      String tier, Function<CollectiveSettings, CollectiveSettings> change) {
    Class<String> text = String.class;
    try (Crew crew = new Crew(kit.system(), 3, change)) {
      var gathered = crew.all(t -> t.objects().gather("r".repeat(t.rank()), 1, text));
      assertThat(gathered).containsExactly(null, List.of("", "r", "rr"), null);
      var scattered = crew.all(t -> t.objects().scatter(List.of("a", "bb", "ccc"), 2, text));
      assertThat(scattered).containsExactly("a", "bb", "ccc");
      var swapped =
          crew.all(
              t ->
                  t.objects()
                      .alltoall(
                          IntStream.range(0, 3).mapToObj(to -> t.rank() + "-" + to).toList(),
                          text));
      assertThat(swapped.get(1)).containsExactly("0-1", "1-1", "2-1");
      assertThat(crew.all(t -> t.objects().reduce("" + t.rank(), 0, text, String::concat)))
          .containsExactly("012", null, null);
      assertThat(crew.all(t -> t.objects().scan("" + t.rank(), text, String::concat)))
          .containsExactly("0", "01", "012");
      assertThat(crew.all(t -> t.objects().exscan("" + t.rank(), text, String::concat)))
          .containsExactly(null, "0", "01");
      assertThat(
              crew.all(
                  t ->
                      t.objects()
                          .reduceScatter(
                              List.of("a" + t.rank(), "b" + t.rank(), "c" + t.rank()),
                              text,
                              String::concat)))
          .containsExactly("a0a1a2", "b0b1b2", "c0c1c2");
      assertThatThrownBy(() -> crew.team(0).objects().alltoall(List.of("a"), text))
          .hasMessage("objects=1 is not members=3, pass one for each");
    }
  }

  /** Of a class that nobody has registered. */
  private record Unknown(int number) {}

  @ParameterizedTest(name = "{0}")
  @MethodSource("tiers")
  void shouldSayWhoseObjectIsRefusedAndGoOn(
      String tier, Function<CollectiveSettings, CollectiveSettings> change) {
    try (Crew crew = new Crew(kit.system(), 3, change)) {
      var calls =
          crew.start(
              t -> t.objects().allgather(t.rank() == 1 ? new Unknown(1) : "text", Object.class));
      crew.settle();

      assertThat(catchThrowable(calls.get(1)::join).getCause())
          .isInstanceOf(KryoCodecException.class);
      assertThat(catchThrowable(calls.get(2)::join).getCause())
          .isInstanceOf(FabricException.class)
          .hasMessageContaining("rank 1 [member-1")
          .hasMessageContaining("the codec refuses");
      requireSum(crew, crew.teams, 3);
    }
  }
}
