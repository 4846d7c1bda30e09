package io.tagfabric.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import io.tagfabric.collective.algorithm.Collective;
import io.tagfabric.collective.reduce.ElementKind;
import io.tagfabric.collective.reduce.Elements;
import io.tagfabric.collective.reduce.ReduceOp;
import io.tagfabric.collective.reduce.Reduction;
import io.tagfabric.collective.run.CollectiveCall;
import io.tagfabric.collective.run.CollectiveCompletion;
import io.tagfabric.collective.run.CollectiveSettings;
import io.tagfabric.collective.run.SharedMemoryUse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Teams on several hosts by the names of their nodes; their members are all in this JVM. */
class TeamTwoLevelTest {
  /** Uneven hosts, members alone, ranks of a host that do not follow one another; as digits. */
  private static final String UNEVEN = "00011";

  private static final int SEGMENT_BYTES = 1024;

  /** x -> ax + b, as two INT32 in one INT64: associative, not commutative. */
  private static final ReduceOp COMPOSE =
      ReduceOp.ofLongs(
          "compose",
          false,
          (f, g) -> (f >> 32) * (g >> 32) << 32 | (int) ((g >> 32) * (int) f + (int) g));

  @TempDir Path directory;

  private ActorTestKit kit;

  @AfterEach
  void stop() {
    kit.shutdownTestKit();
  }

  private Crew crew(String hosts, UnaryOperator<CollectiveSettings> change) {
    return crew(hosts, directory.resolve("host"), change);
  }

  private Crew crew(String hosts, Path place, UnaryOperator<CollectiveSettings> change) {
    kit = Crew.kitWithHostDirectory(place);
    return new Crew(
        kit.system(),
        hosts.length(),
        rank -> hosts.charAt(rank) - '0',
        settings ->
            change.apply(
                settings
                    .withSharedCell(false)
                    .withSharedMemory(SharedMemoryUse.ALWAYS)
                    .withSegments(SEGMENT_BYTES, 4)));
  }

  private static Elements given(int rank, int count) {
    return Elements.of(LongStream.range(0, count).map(i -> (rank + 2L << 32) + 3 * i).toArray());
  }

  private static long[] folded(int size, int count, ReduceOp operator) {
    Elements all = given(0, count).copy();
    for (int rank = 1; rank < size; rank++) {
      operator.combine(
          ElementKind.INT64,
          all.buffer(),
          all.offset(),
          given(rank, count).buffer(),
          0,
          all.buffer(),
          all.offset(),
          count);
    }
    return all.longs();
  }

  private static void requireBothLevels(List<CollectiveCompletion> completions) {
    assertThat(completions)
        .allSatisfy(each -> assertThat(each.tier()).isEqualTo("shm+messages"))
        .allSatisfy(each -> assertThat(each.algorithm()).startsWith("two-level/"));
  }

  private static List<CollectiveCompletion> allreduce(Crew crew, int count, ReduceOp operator) {
    List<Elements> data = new ArrayList<>();
    for (int rank = 0; rank < crew.size(); rank++) {
      data.add(given(rank, count).copy());
    }
    List<CollectiveCompletion> completions =
        crew.collective(team -> team.allreduce(data.get(team.rank()), operator));
    assertThat(data)
        .allSatisfy(
            each -> assertThat(each.longs()).isEqualTo(folded(crew.size(), count, operator)));
    return completions;
  }

  @ParameterizedTest
  @ValueSource(strings = {"00011", "01", "0122", "0100", "0101010", "00000000000000001", "0112"})
  void shouldCombineOnHostsAndThenBetweenThem(String hosts) {
    boolean nested = hosts.chars().distinct().count() < hosts.length();
    try (Crew crew = crew(hosts, settings -> settings)) {
      for (int count : new int[] {0, 1, 7, 128, 129, 1000}) {
        List<CollectiveCompletion> completions = allreduce(crew, count, Reduction.SUM);
        if (nested) {
          requireBothLevels(completions);
        } else {
          assertThat(completions).allMatch(each -> each.tier().equals("messages"));
        }
        for (int root = 0; root < crew.size(); root++) {
          checkRooted(crew, root, count);
        }
      }
    }
  }

  private static void checkRooted(Crew crew, int root, int count) {
    Elements sum = Elements.allocate(ElementKind.INT64, count);
    crew.collective(
        team ->
            team.reduce(
                given(team.rank(), count),
                team.rank() == root ? sum : Elements.none(ElementKind.INT64),
                Reduction.SUM,
                root));
    assertThat(sum.longs()).isEqualTo(folded(crew.size(), count, Reduction.SUM));
    List<Elements> data = new ArrayList<>();
    for (int rank = 0; rank < crew.size(); rank++) {
      data.add(given(rank, count).copy());
    }
    crew.collective(team -> team.broadcast(data.get(team.rank()), root));
    assertThat(data)
        .allSatisfy(each -> assertThat(each.longs()).isEqualTo(given(root, count).longs()));
  }

  @Test
  void shouldKeepRankOrderWhenRanksOfHostsFollowOneAnother() {
    try (Crew crew = crew(UNEVEN, settings -> settings)) {
      requireBothLevels(allreduce(crew, 300, COMPOSE));
    }
  }

  @Test
  void shouldKeepRankOrderByMessagesWhenTheyDoNot() {
    try (Crew crew = crew("01010", settings -> settings)) {
      assertThat(allreduce(crew, 300, COMPOSE)).allMatch(each -> each.tier().equals("messages"));
    }
  }

  @Test
  void shouldWaitForAllHostsInABarrier() {
    try (Crew crew = crew("0011", settings -> settings)) {
      List<CompletableFuture<?>> early = new ArrayList<>();
      for (int rank = 0; rank < 3; rank++) {
        early.add(crew.team(rank).barrier().toCompletableFuture());
      }
      crew.settle();
      assertThat(early).noneMatch(CompletableFuture::isDone);

      CollectiveCompletion last =
          crew.team(3).start(CollectiveCall.barrier()).toCompletableFuture().join();
      crew.settle();

      assertThat(last.algorithm()).isEqualTo("two-level/dissemination");
      assertThat(early).allMatch(CompletableFuture::isDone);
    }
  }

  @Test
  void shouldSayHowLongVectorsWereCut() {
    try (Crew crew = crew(UNEVEN, settings -> settings)) {
      int count = SEGMENT_BYTES / Long.BYTES * 9 + 1;

      List<CollectiveCompletion> completions = allreduce(crew, count, Reduction.SUM);

      assertThat(completions).allMatch(each -> each.segments() == 10);
      assertThat(completions.get(0).messages()).isEqualTo(10);
      assertThat(completions.get(0).bytes()).isEqualTo((long) count * Long.BYTES);
      assertThat(completions.get(1).messages()).isZero();
    }
  }

  @Test
  void shouldKeepCallsApartThatOverlap() {
    try (Crew crew = crew(UNEVEN, settings -> settings.withChecked(true))) {
      int calls = 200;
      List<List<CompletableFuture<long[]>>> sums = new ArrayList<>();
      for (int call = 0; call < calls; call++) {
        long value = call;
        sums.add(crew.start(team -> team.allreduce(new long[] {value}, Reduction.SUM)));
      }
      crew.settle();

      for (int call = 0; call < calls; call++) {
        long sum = 5L * call;
        assertThat(sums.get(call)).allMatch(each -> each.join()[0] == sum);
      }
    }
  }

  @Test
  void shouldSendMessagesOnAHostWithoutMemory() throws IOException {
    Path file = Files.createFile(directory.resolve("no-directory"));
    try (Crew crew = crew(UNEVEN, file, settings -> settings)) {
      assertThat(allreduce(crew, 300, COMPOSE))
          .allMatch(each -> each.tier().equals("messages"))
          .allMatch(each -> each.algorithm().startsWith("two-level/"));
      crew.all(Team::barrier);
    }
  }

  @Test
  void shouldDoTheSameByMessagesAloneWhenForced() {
    try (Crew crew =
        crew(UNEVEN, settings -> settings.forcing(Collective.ALLREDUCE, "two-level"))) {
      assertThat(allreduce(crew, 1000, COMPOSE))
          .allMatch(each -> each.tier().equals("messages"))
          .allMatch(each -> each.algorithm().equals("two-level/recursive-doubling"));
    }
  }

  @Test
  void shouldTakeTheHostsOfItsMembersIntoNewTeams() {
    try (Crew crew = crew("0110", settings -> settings)) {
      List<Team> some = crew.all(team -> team.create(List.of(3, 1, 0)));
      List<Elements> data = IntStream.range(0, 4).mapToObj(rank -> Elements.of(rank + 1L)).toList();
      List<CompletableFuture<CollectiveCompletion>> sums = new ArrayList<>();
      for (int rank : new int[] {0, 1, 3}) {
        sums.add(some.get(rank).allreduce(data.get(rank), Reduction.SUM).toCompletableFuture());
      }
      crew.settle();

      assertThat(sums).allMatch(each -> each.join().tier().equals("shm+messages"));
      assertThat(Arrays.asList(0, 1, 3)).allMatch(rank -> data.get(rank).longs()[0] == 7);
    }
  }

  @Test
  void shouldNameWhoCallsSomethingElseOnItsHost() {
    try (Crew crew = crew(UNEVEN, settings -> settings)) {
      crew.all(Team::barrier);
      List<CompletableFuture<?>> calls = crew.sumsAndABarrierAt(1);

      assertThat(calls)
          .allMatch(CompletableFuture::isCompletedExceptionally)
          .allSatisfy(
              each ->
                  assertThat(catchThrowable(each::join))
                      .hasMessageContaining("rank 1")
                      .hasMessageContaining("calls [barrier"));
    }
  }

  @Test
  void shouldFailAtAllHostsWhenAMemberLeaves() {
    try (Crew crew = crew(UNEVEN, settings -> settings)) {
      crew.all(Team::barrier);
      List<CompletableFuture<?>> calls = new ArrayList<>();
      for (int rank = 0; rank < 4; rank++) {
        calls.add(crew.team(rank).barrier().toCompletableFuture());
      }
      crew.settle();
      crew.endpoints.get(4).close(Duration.ZERO).toCompletableFuture().join();
      crew.settle();

      assertThat(calls)
          .allSatisfy(
              each -> assertThat(catchThrowable(each::join)).hasMessageContaining("rank 4"));
    }
  }
}
