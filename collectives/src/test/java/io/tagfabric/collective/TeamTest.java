package io.tagfabric.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.collective.algorithm.Algorithm;
import io.tagfabric.collective.algorithm.Algorithms;
import io.tagfabric.collective.algorithm.Collective;
import io.tagfabric.collective.algorithm.Edges;
import io.tagfabric.collective.reduce.Elements;
import io.tagfabric.collective.reduce.ReduceOp;
import io.tagfabric.collective.reduce.Reduction;
import io.tagfabric.collective.run.CollectiveCall;
import io.tagfabric.collective.run.CollectiveCompletion;
import io.tagfabric.collective.run.CollectiveSettings;
import io.tagfabric.collective.run.SharedMemoryUse;
import io.tagfabric.collective.schedule.Blocks;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TeamTest {
  private static final int[] SIZES = {1, 2, 3, 5, 8};
  private static final int[] COUNTS = {0, 1, 1000};

  /** Keeps the left operand's low half and the right one's high half: not commutative. */
  private static final ReduceOp ENDS =
      ReduceOp.ofLongs("ends", false, (left, right) -> left & 0xFFFF_FFFFL | right >> 32 << 32);

  private static ActorTestKit kit;

  @BeforeAll
  static void start() {
    kit =
        ActorTestKit.create(
            "team",
            ConfigFactory.parseString("akka.actor.provider=local")
                .withFallback(ConfigFactory.load()));
  }

  @AfterAll
  static void stop() {
    kit.shutdownTestKit();
  }

  private static Crew crew(int size, Function<CollectiveSettings, CollectiveSettings> change) {
    return new Crew(kit.system(), size, change);
  }

  private static Crew crew(int size) {
    return crew(size, settings -> settings);
  }

  /** Each algorithm over messages; the shared cell; the shared cell switched off. */
  static Stream<Arguments> ways() {
    Stream<Arguments> forced =
        Algorithms.all().stream()
            .map(each -> Arguments.of(each.collective().key() + " " + each.key(), forcing(each)));
    Function<CollectiveSettings, CollectiveSettings> cell = settings -> settings;
    Function<CollectiveSettings, CollectiveSettings> messages =
        settings -> settings.withSharedCell(false);
    Function<CollectiveSettings, CollectiveSettings> checked =
        settings -> settings.withSharedCell(false).withChecked(true).withSegments(512, 3);
    Function<CollectiveSettings, CollectiveSettings> memory =
        settings -> settings.withSharedCell(false).withSharedMemory(SharedMemoryUse.ALWAYS);
    Function<CollectiveSettings, CollectiveSettings> pieces =
        settings -> memory.apply(settings).withChunks(64, 2);
    return Stream.concat(
        forced,
        Stream.of(
            Arguments.of("shared memory", memory),
            Arguments.of("shared memory, in small pieces", pieces),
            Arguments.of("cell", cell),
            Arguments.of("messages", messages),
            Arguments.of("checked, in segments", checked)));
  }

  private static Function<CollectiveSettings, CollectiveSettings> forcing(Algorithm algorithm) {
    return settings ->
        settings.forcing(algorithm.collective(), algorithm.key()).withSegments(256, 2);
  }

  private static long[] values(int rank, int count) {
    return IntStream.range(0, count)
        .mapToLong(i -> (rank + 1L) << 32 | (rank + 1L) * 1000 + i)
        .toArray();
  }

  private static long[] fold(int first, int end, int count) {
    long[] sums = new long[count];
    for (int rank = first; rank < end; rank++) {
      long[] own = values(rank, count);
      for (int i = 0; i < count; i++) {
        sums[i] += own[i];
      }
    }
    return sums;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("ways")
  void shouldCombineVectorsWhenAllMembersCall(
      String way, Function<CollectiveSettings, CollectiveSettings> change) {
    for (int size : SIZES) {
      try (Crew crew = crew(size, change)) {
        for (int count : COUNTS) {
          int root = (size + count) % size;
          List<Elements> out = outputs(size, count);

          crew.collective(
              t ->
                  t.reduce(
                      Elements.of(values(t.rank(), count)),
                      out.get(t.rank()),
                      Reduction.SUM,
                      root));
          assertThat(out.get(root).longs()).isEqualTo(fold(0, size, count));

          crew.collective(
              t ->
                  t.allreduce(
                      Elements.of(values(t.rank(), count)), out.get(t.rank()), Reduction.SUM));
          assertThat(out)
              .allSatisfy(each -> assertThat(each.longs()).isEqualTo(fold(0, size, count)));

          crew.collective(
              t -> t.scan(Elements.of(values(t.rank(), count)), out.get(t.rank()), Reduction.SUM));
          for (int rank = 0; rank < size; rank++) {
            assertThat(out.get(rank).longs()).isEqualTo(fold(0, rank + 1, count));
          }

          crew.collective(
              t ->
                  t.exscan(Elements.of(values(t.rank(), count)), out.get(t.rank()), Reduction.SUM));
          for (int rank = 1; rank < size; rank++) {
            assertThat(out.get(rank).longs()).isEqualTo(fold(0, rank, count));
          }

          List<Elements> blocks = outputs(size, count);
          crew.collective(
              t ->
                  t.reduceScatterBlock(
                      Elements.of(values(t.rank(), count * size)),
                      blocks.get(t.rank()),
                      Reduction.SUM));
          long[] all = fold(0, size, count * size);
          for (int rank = 0; rank < size; rank++) {
            assertThat(blocks.get(rank).longs())
                .isEqualTo(java.util.Arrays.copyOfRange(all, rank * count, (rank + 1) * count));
          }
        }
      }
    }
  }

  private static List<Elements> outputs(int size, int count) {
    List<Elements> outputs = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      outputs.add(Elements.of(new long[count]));
    }
    return outputs;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("ways")
  void shouldMoveBlocksWhenAllMembersCall(
      String way, Function<CollectiveSettings, CollectiveSettings> change) {
    for (int size : SIZES) {
      try (Crew crew = crew(size, change)) {
        for (int count : COUNTS) {
          int root = (size + 1) % size;
          crew.all(Team::barrier);

          List<Elements> data = new ArrayList<>();
          for (int rank = 0; rank < size; rank++) {
            data.add(Elements.of(values(rank, count)));
          }
          crew.collective(t -> t.broadcast(data.get(t.rank()), root));
          assertThat(data)
              .allSatisfy(each -> assertThat(each.longs()).isEqualTo(values(root, count)));

          List<Elements> whole = outputs(size, count * size);
          crew.collective(
              t -> t.gather(Elements.of(values(t.rank(), count)), whole.get(t.rank()), root));
          assertThat(whole.get(root).longs()).isEqualTo(concatenated(size, count));

          List<Elements> part = outputs(size, count);
          crew.collective(t -> t.scatter(whole.get(t.rank()), part.get(t.rank()), root));
          for (int rank = 0; rank < size; rank++) {
            assertThat(part.get(rank).longs()).isEqualTo(values(rank, count));
          }

          crew.collective(t -> t.allgather(part.get(t.rank()), whole.get(t.rank())));
          assertThat(whole)
              .allSatisfy(each -> assertThat(each.longs()).isEqualTo(concatenated(size, count)));

          List<Elements> turned = outputs(size, count * size);
          crew.collective(
              t -> t.alltoall(Elements.of(values(t.rank(), count * size)), turned.get(t.rank())));
          for (int rank = 0; rank < size; rank++) {
            for (int from = 0; from < size; from++) {
              assertThat(turned.get(rank).part(from * count, count).longs())
                  .isEqualTo(
                      java.util.Arrays.copyOfRange(
                          values(from, count * size), rank * count, (rank + 1) * count));
            }
          }
        }
      }
    }
  }

  private static long[] concatenated(int size, int count) {
    return IntStream.range(0, size)
        .boxed()
        .flatMapToLong(rank -> java.util.Arrays.stream(values(rank, count)))
        .toArray();
  }

  static Stream<Arguments> tiers() {
    Function<CollectiveSettings, CollectiveSettings> cell = settings -> settings;
    Function<CollectiveSettings, CollectiveSettings> messages =
        settings -> settings.withSharedCell(false);
    return Stream.of(Arguments.of("cell", cell), Arguments.of("messages", messages));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("tiers")
  void shouldMoveBlocksOfDifferentLengthsWhenMembersSaySo(
      String tier, Function<CollectiveSettings, CollectiveSettings> change) {
    int size = 5;
    Blocks byRank = Blocks.packed(0, 1, 2, 3, 4);
    try (Crew crew = crew(size, change)) {
      List<Elements> whole = outputs(size, 10);
      Elements none = Elements.of(new long[0]);

      crew.collective(
          t ->
              t.start(
                  CollectiveCall.gatherv(
                      Elements.of(values(t.rank(), t.rank())),
                      t.rank() == 2 ? whole.get(2) : none,
                      t.rank() == 2 ? byRank : null,
                      2)));
      assertThat(whole.get(2).part(3, 3).longs()).isEqualTo(values(3, 3));
      assertThat(whole.get(2).part(6, 4).longs()).isEqualTo(values(4, 4));

      List<Elements> part =
          IntStream.range(0, size).mapToObj(rank -> Elements.of(new long[rank])).toList();
      crew.collective(
          t ->
              t.start(
                  CollectiveCall.scatterv(
                      whole.get(t.rank()), t.rank() == 2 ? byRank : null, part.get(t.rank()), 2)));
      assertThat(part.get(4).longs()).isEqualTo(values(4, 4));

      crew.collective(
          t -> t.start(CollectiveCall.allgatherv(part.get(t.rank()), whole.get(t.rank()), byRank)));
      assertThat(whole)
          .allSatisfy(each -> assertThat(each.longs()).isEqualTo(whole.get(2).longs()));

      List<Elements> sums =
          IntStream.range(0, size).mapToObj(rank -> Elements.of(new long[rank])).toList();
      crew.collective(
          t ->
              t.start(
                  CollectiveCall.reduceScatter(
                      Elements.of(values(t.rank(), 10)), byRank, sums.get(t.rank()), ENDS)));
      assertThat(sums.get(3).longs()[0])
          .isEqualTo(values(0, 10)[3] & 0xFFFF_FFFFL | values(4, 10)[3] >> 32 << 32);

      List<Elements> turned = outputs(size, size * size);
      crew.collective(
          t -> {
            int[] sends = IntStream.range(0, size).map(to -> (t.rank() + to) % 3).toArray();
            return t.start(
                CollectiveCall.alltoallv(
                    Elements.of(values(t.rank(), 10)),
                    Blocks.packed(sends),
                    turned.get(t.rank()),
                    Blocks.packed(sends)));
          });
      assertThat(turned.get(1).longs()[0]).isEqualTo(values(0, 10)[0]);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("tiers")
  void shouldExchangeWithNeighboursWhenEdgesAreNamedAtBothEnds(
      String tier, Function<CollectiveSettings, CollectiveSettings> change) {
    try (Crew crew = crew(4, change)) {
      List<Elements> out = outputs(4, 2);

      crew.collective(
          t -> {
            int left = (t.rank() + 3) % 4;
            int right = (t.rank() + 1) % 4;
            Blocks blocks = Blocks.equal(2, 1);
            return t.start(
                CollectiveCall.neighbourExchange(
                    Edges.both(List.of(left, right)),
                    Elements.of(t.rank() * 10L, t.rank() * 10L + 1),
                    blocks,
                    out.get(t.rank()),
                    blocks));
          });

      assertThat(out.get(0).longs()).containsExactly(31, 10);
      assertThat(out.get(2).longs()).containsExactly(11, 30);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("ways")
  void shouldKeepRankOrderAndWorkInPlaceWhenTheOperatorIsNotCommutative(
      String way, Function<CollectiveSettings, CollectiveSettings> change) {
    try (Crew crew = crew(5, change)) {
      List<Elements> data = new ArrayList<>();
      for (int rank = 0; rank < 5; rank++) {
        data.add(Elements.of(values(rank, 3)));
      }
      boolean refuses =
          Algorithms.of(Collective.ALLREDUCE).stream()
              .filter(each -> !each.keepsOrder())
              .anyMatch(each -> way.equals("allreduce " + each.key()));
      if (refuses) {
        assertThatThrownBy(() -> crew.team(0).allreduce(data.get(0), ENDS))
            .hasMessage(
                "algorithm=[ring] of allreduce does not keep rank order, but the operator is not"
                    + " commutative, force another one or none");
        return;
      }

      crew.collective(t -> t.allreduce(data.get(t.rank()), ENDS));

      long expected = values(0, 3)[1] & 0xFFFF_FFFFL | values(4, 3)[1] >> 32 << 32;
      assertThat(data).allSatisfy(each -> assertThat(each.longs()[1]).isEqualTo(expected));
    }
  }

  @Test
  void shouldSayHowItWasDoneWhenItCompletes() {
    try (Crew crew = crew(4, settings -> settings.withSharedCell(false).withSegments(64, 2))) {
      List<CollectiveCompletion> done =
          crew.collective(t -> t.broadcast(Elements.of(new long[100]), 1));
      assertThat(done.get(1).algorithm()).isEqualTo("binomial");
      assertThat(done.get(1).tier()).isEqualTo("messages");
      assertThat(done.get(1).segments()).isEqualTo(13);
      assertThat(done.get(1).bytes()).isEqualTo(1600);
      assertThat(done.get(2).bytes()).isZero();
    }
    try (Crew crew = crew(4)) {
      assertThat(crew.collective(t -> t.broadcast(Elements.of(1L), 1)).get(0).tier())
          .isEqualTo("cell");
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("tiers")
  void shouldKeepCallsApartWhenTheyOverlap(
      String tier, Function<CollectiveSettings, CollectiveSettings> change) {
    try (Crew crew = crew(5, change)) {
      List<List<Elements>> data = new ArrayList<>();
      for (int call = 0; call < 20; call++) {
        int number = call;
        data.add(
            IntStream.range(0, 5).mapToObj(rank -> Elements.of((long) number * rank)).toList());
      }
      var last =
          crew.start(
              t -> {
                java.util.concurrent.CompletionStage<CollectiveCompletion> done = null;
                for (int call = 0; call < 20; call++) {
                  done = t.allreduce(data.get(call).get(t.rank()), Reduction.SUM);
                }
                return done;
              });
      crew.settle();

      assertThat(last).allSatisfy(each -> assertThat(each).isCompleted());
      for (int call = 0; call < 20; call++) {
        int number = call;
        assertThat(data.get(call))
            .allSatisfy(each -> assertThat(each.longs()).containsExactly(number * 10L));
      }
    }
  }

  @Test
  void shouldRefuseWhatDoesNotFitAtOnce() {
    try (Crew crew = crew(2)) {
      Team team = crew.team(0);
      assertThatThrownBy(() -> team.allreduce(Elements.of(1L), Elements.of(1L, 2L), Reduction.SUM))
          .hasMessage("count=2 of the output is not 1, what allreduce needs here");
      assertThatThrownBy(() -> team.broadcast(Elements.of(1L), 2))
          .hasMessage("root=2 is outside 0..1, name a rank of the team");
      assertThatThrownBy(() -> team.allreduce(Elements.of(1L), Reduction.MINLOC))
          .hasMessage("operator=MINLOC does not combine kind=int64, take another kind");
      assertThatThrownBy(() -> team.alltoall(Elements.of(1L), Elements.of(1L)))
          .hasMessageStartingWith("count=1 of the input is no multiple of ranks=2");
      assertThatThrownBy(() -> team.allreduce(Elements.of(1L), Elements.of(1.0), Reduction.SUM))
          .hasMessageStartingWith("kind=int64 of the input is not kind=float64 of the output");
    }
  }

  @Test
  void shouldSplitByColorAndKeyWhenSomeWantNoPart() {
    try (Crew crew = crew(6)) {
      List<Team> parts = crew.all(t -> t.split(t.rank() == 5 ? -1 : t.rank() % 2, -t.rank()));

      assertThat(parts.get(5)).isNull();
      assertThat(parts.get(0).size()).isEqualTo(3);
      assertThat(parts.get(0).rank()).isEqualTo(2);
      assertThat(parts.get(0).translate(crew.team(0), 4)).isZero();
      assertThat(parts.get(0).translate(crew.team(0), 1)).isEqualTo(-1);
      assertThat(parts.get(1).size()).isEqualTo(2);
      assertThat(parts.get(0).context()).isEqualTo(parts.get(2).context()).isGreaterThan(65535);

      List<Team> both = crew.all(Team::dup);
      assertThat(both.get(3).rank()).isEqualTo(3);
      assertThat(both.get(3).context()).isNotEqualTo(parts.get(2).context());
      List<Team> some = crew.all(t -> t.create(List.of(4, 1)));
      assertThat(some.get(4).rank()).isZero();
      assertThat(some.get(0)).isNull();
      assertThatThrownBy(
              () ->
                  Team.open(
                      crew.domain,
                      crew.endpoints.get(4),
                      List.of(crew.endpoints.get(4).address()),
                      7))
          .hasMessage(
              "context=7 is in use on this endpoint, choose another, dup the team or close it"
                  + " before");
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("tiers")
  void shouldNotConfuseTeamsThatShareEndpoints(
      String tier, Function<CollectiveSettings, CollectiveSettings> change) {
    try (Crew crew = crew(4, change)) {
      List<Team> halves = crew.all(t -> t.split(t.rank() / 2, 0));

      var whole = crew.start(t -> t.allreduce(new long[] {t.rank()}, Reduction.SUM));
      List<java.util.concurrent.CompletableFuture<long[]>> half =
          halves.stream()
              .map(
                  t ->
                      t.allreduce(new long[] {100 + t.rank()}, Reduction.SUM).toCompletableFuture())
              .toList();
      crew.settle();

      assertThat(whole).allSatisfy(each -> assertThat(each.join()).containsExactly(6));
      assertThat(half).allSatisfy(each -> assertThat(each.join()).containsExactly(201));
    }
  }
}
