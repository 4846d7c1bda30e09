package io.tagfabric.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.tagfabric.collective.algorithm.Edges;
import io.tagfabric.collective.reduce.Elements;
import io.tagfabric.collective.reduce.Reduction;
import io.tagfabric.collective.run.CollectiveCall;
import io.tagfabric.collective.run.CollectiveCompletion;
import io.tagfabric.collective.run.CollectiveSettings;
import io.tagfabric.collective.run.TeamException;
import io.tagfabric.collective.schedule.Blocks;
import io.tagfabric.error.FabricError;
import io.tagfabric.link.Posted;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Blocks that are longer than the longest message. */
class TeamPartsTest {
  private static final int LIMIT = 64 * 1024;

  /** A call, where its result goes, and what that is; null where nothing goes. */
  private record Work(CollectiveCall call, Elements output, Elements expected) {
    static Work of(CollectiveCall call, long... expected) {
      return new Work(call, call.output(), Elements.of(expected));
    }
  }

  private static String limit(int bytes) {
    return "tagfabric.endpoint.max-message-size = " + bytes;
  }

  private static long[] values(int rank, int count) {
    return LongStream.range(0, count).map(i -> (rank + 1) * 1_000_000_000L + i).toArray();
  }

  /** The values of some ranks one behind the other. */
  private static long[] sideBySide(int count, int... ranks) {
    return Arrays.stream(ranks)
        .boxed()
        .flatMapToLong(r -> Arrays.stream(values(r, count)))
        .toArray();
  }

  private static long[] sum(int first, int end, int count) {
    long sum = IntStream.range(first, end).mapToLong(rank -> (rank + 1) * 1_000_000_000L).sum();
    return LongStream.range(0, count).map(i -> sum + (end - first) * i).toArray();
  }

  private static Elements room(int count) {
    return Elements.of(new long[count]);
  }

  /** What a member calls, by its rank. */
  private static List<IntFunction<Work>> works(int size, int count) {
    int[] ranks = IntStream.range(0, size).toArray();
    int all = size * count;
    long[] whole = sideBySide(count, ranks);
    long[] total = sum(0, size, count);
    Blocks blocks = Blocks.equal(size, count);
    return Arrays.asList(
        r -> Work.of(CollectiveCall.broadcast(Elements.of(values(r, count)), 1), values(1, count)),
        r -> {
          Elements output = room(count);
          return new Work(
              CollectiveCall.reduce(Elements.of(values(r, count)), output, Reduction.SUM, 1),
              output,
              r == 1 ? Elements.of(total) : null);
        },
        r ->
            Work.of(
                CollectiveCall.allreduce(Elements.of(values(r, count)), room(count), Reduction.SUM),
                total),
        r -> {
          Elements output = room(r == 1 ? all : 0);
          return new Work(
              CollectiveCall.gather(Elements.of(values(r, count)), output, 1),
              output,
              r == 1 ? Elements.of(whole) : null);
        },
        r -> {
          Elements output = room(r == 0 ? all : 0);
          return new Work(
              CollectiveCall.gatherv(
                  Elements.of(values(r, count)), output, r == 0 ? blocks : null, 0),
              output,
              r == 0 ? Elements.of(whole) : null);
        },
        r ->
            Work.of(
                CollectiveCall.scatter(r == 1 ? Elements.of(whole) : room(0), room(count), 1),
                values(r, count)),
        r ->
            Work.of(
                CollectiveCall.scatterv(
                    r == 1 ? Elements.of(whole) : room(0), r == 1 ? blocks : null, room(count), 1),
                values(r, count)),
        r -> Work.of(CollectiveCall.allgather(Elements.of(values(r, count)), room(all)), whole),
        r ->
            Work.of(
                CollectiveCall.allgatherv(Elements.of(values(r, count)), room(all), blocks), whole),
        r -> Work.of(CollectiveCall.alltoall(sameToAll(r, size, count), room(all)), whole),
        r ->
            Work.of(
                CollectiveCall.alltoallv(sameToAll(r, size, count), blocks, room(all), blocks),
                whole),
        r ->
            Work.of(
                CollectiveCall.reduceScatterBlock(
                    sameToAll(r, size, count), room(count), Reduction.SUM),
                total),
        r ->
            Work.of(
                CollectiveCall.reduceScatter(
                    sameToAll(r, size, count), blocks, room(count), Reduction.SUM),
                total),
        r ->
            Work.of(
                CollectiveCall.scan(Elements.of(values(r, count)), room(count), Reduction.SUM),
                sum(0, r + 1, count)),
        r -> {
          Elements output = room(count);
          return new Work(
              CollectiveCall.exscan(Elements.of(values(r, count)), output, Reduction.SUM),
              output,
              r == 0 ? null : Elements.of(sum(0, r, count)));
        },
        r -> {
          // Three edges from each to the next: two long ones with a short one between them.
          int after = (r + 1) % size;
          int before = (r + size - 1) % size;
          Blocks three = Blocks.packed(count, 1, count - 1);
          return Work.of(
              CollectiveCall.neighbourExchange(
                  new Edges(List.of(after, after, after), List.of(before, before, before)),
                  Elements.of(values(r, 2 * count)),
                  three,
                  room(2 * count),
                  three),
              values(before, 2 * count));
        });
  }

  private static Elements sameToAll(int rank, int size, int count) {
    int[] own = new int[size];
    Arrays.fill(own, rank);
    return Elements.of(sideBySide(count, own));
  }

  static Stream<Arguments> teams() {
    return Stream.of(
        Arguments.of("local", 3, LIMIT, 10_000),
        Arguments.of("local", 4, LIMIT, 10_000),
        Arguments.of("shm", 3, LIMIT, 10_000),
        Arguments.of("shm", 4, LIMIT, 10_000),
        Arguments.of("local", 3, LIMIT, LIMIT / Long.BYTES),
        Arguments.of("shm", 4, LIMIT, 2 * LIMIT / Long.BYTES),
        Arguments.of("local", 5, 7, 9),
        Arguments.of("local", 3, 1, 2));
  }

  @ParameterizedTest(name = "{0}, {1} members, limit {2}, {3} elements")
  @MethodSource("teams")
  void shouldMoveBlocksBeyondTheLongestMessage(String provider, int size, int limit, int count) {
    try (Fleet fleet = new Fleet(provider, Fleet.alike(size, limit(limit)), settings -> settings)) {
      for (IntFunction<Work> each : works(size, count)) {
        List<Work> works = IntStream.range(0, size).mapToObj(each).toList();
        List<CollectiveCompletion> ends = fleet.all(t -> t.start(works.get(t.rank()).call()));
        assertThat(ends).extracting(CollectiveCompletion::tier).containsOnly("messages");
        requireResults(works);
      }
      for (IntFunction<Work> each : works(size, count)) {
        List<Work> works = IntStream.range(0, size).mapToObj(each).toList();
        List<PreparedCollective> prepared =
            fleet.teams.stream().map(t -> t.prepare(works.get(t.rank()).call())).toList();
        for (int round = 0; round < 3; round++) {
          List<CompletableFuture<?>> ends = new ArrayList<>();
          for (PreparedCollective start : prepared) {
            assertThat(start.start()).isEqualTo(Posted.POSTED);
            ends.add(start.stage().toCompletableFuture());
          }
          fleet.await(ends);
          ends.forEach(CompletableFuture::join);
          requireResults(works);
        }
      }
    }
  }

  private static void requireResults(List<Work> works) {
    for (Work work : works) {
      if (work.expected() != null) {
        assertThat(work.output().longs())
            .as("%s", work.call().collective())
            .isEqualTo(work.expected().longs());
      }
    }
  }

  @Test
  void shouldKeepToTheLeastOfTheLimitsOfTwoMembers() {
    List<String> limits = List.of(limit(LIMIT), limit(1 << 20), limit(70_000), limit(30_001));
    try (Fleet fleet = new Fleet("shm", limits, settings -> settings)) {
      List<IntFunction<Work>> all = works(4, 10_000);
      Collections.reverse(all); // the first one speaks to neighbours only, the others have not met
      for (IntFunction<Work> each : all) {
        List<Work> works = IntStream.range(0, 4).mapToObj(each).toList();
        fleet.all(t -> t.start(works.get(t.rank()).call()));
        requireResults(works);
      }
    }
  }

  @Test
  void shouldSendSegmentsThatAreLongerThanTheLongestMessage() {
    UnaryOperator<CollectiveSettings> longSegments = settings -> settings.withSegments(2_000, 64);
    try (Fleet fleet = new Fleet("local", Fleet.alike(4, limit(300)), longSegments)) {
      // More segments than lanes.
      List<Elements> data =
          IntStream.range(0, 4).mapToObj(r -> Elements.of(values(r, 70_000))).toList();
      List<CollectiveCompletion> ends = fleet.all(t -> t.broadcast(data.get(t.rank()), 2));
      assertThat(ends).extracting(CollectiveCompletion::segments).containsOnly(280);
      assertThat(data).allSatisfy(each -> assertThat(each.longs()).isEqualTo(values(2, 70_000)));
    }
  }

  @Test
  void shouldMoveObjectsBeyondTheLongestMessage() {
    String text = "0123456789".repeat(8_000);
    try (Fleet fleet = new Fleet("local", Fleet.alike(3, limit(LIMIT)), settings -> settings)) {
      assertThat(fleet.all(t -> t.objects().gather(text + t.rank(), 0, String.class)).get(0))
          .containsExactly(text + 0, text + 1, text + 2);
      assertThat(fleet.all(t -> t.objects().broadcast(text + t.rank(), 2, String.class)))
          .containsOnly(text + 2);
    }
  }

  /** Whether it is a part more or less, or a whole message. */
  @ParameterizedTest
  @CsvSource({
    "10000, 8192",
    "8192, 10000",
    "16384, 8192",
    "8192, 16384",
    "10000, 10001",
    "16384, 16385"
  })
  void shouldSayWhoSendsAnotherLength(int count, int other) {
    try (Fleet fleet = new Fleet("local", Fleet.alike(3, limit(LIMIT)), settings -> settings)) {
      var calls = fleet.start(t -> t.broadcast(room(t.rank() == 0 ? other : count), 0));
      fleet.await(calls);
      assertThat(calls.subList(1, 3))
          .allSatisfy(
              each -> {
                TeamException failure = (TeamException) catchThrowable(each::join).getCause();
                assertThat(failure.error()).isEqualTo(FabricError.INVALID);
                assertThat(failure)
                    .hasMessageContaining("rank 0 ")
                    .hasMessageContaining(" expects " + 8 * count);
              });
    }
  }
}
