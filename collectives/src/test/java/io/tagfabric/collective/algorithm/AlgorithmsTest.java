package io.tagfabric.collective.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagfabric.collective.schedule.Memory;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every algorithm, for all team sizes and roots, with contributions instead of bytes. */
class AlgorithmsTest {
  private static final List<Integer> COUNTS = List.of(0, 1, 7, 41);

  static Stream<Arguments> grid() {
    return Algorithms.all().stream()
        .flatMap(
            algorithm ->
                IntStream.concat(IntStream.rangeClosed(1, 17), IntStream.of(33))
                    .mapToObj(size -> Arguments.of(algorithm.collective(), algorithm.key(), size)));
  }

  private static List<Integer> roots(Algorithm algorithm, int size) {
    if (!algorithm.collective().rooted()) {
      return List.of(0);
    }
    return size <= 17
        ? IntStream.range(0, size).boxed().toList()
        : List.of(0, 1, size / 2, size - 1);
  }

  @ParameterizedTest(name = "{0} {1} p={2}")
  @MethodSource("grid")
  void shouldBringEveryContributionOnceAndInOrderWhenAllRanksRun(
      Collective collective, String key, int size) {
    Algorithm algorithm = Algorithms.get(collective, key);
    for (int root : roots(algorithm, size)) {
      for (int count : COUNTS) {
        for (Calls calls : Calls.of(algorithm, size, root, count)) {
          check(calls);
        }
      }
    }
  }

  static void check(Calls calls) {
    SymbolicTeam team = new SymbolicTeam(calls).run();
    Expectation expectation = new Expectation(calls);
    for (int rank = 0; rank < calls.size(); rank++) {
      int[][] expected = expectation.output(rank);
      int[][] actual = team.output(rank);
      if (!calls.algorithm().keepsOrder()) {
        Arrays.stream(actual).filter(element -> element != null).forEach(Arrays::sort);
      }
      assertThat(actual).as("%s rank=%s", calls, rank).isDeepEqualTo(expected);
    }
  }

  @ParameterizedTest(name = "{0} {1} p={2}")
  @MethodSource("grid")
  void shouldTakeTheStepsAndElementsOfItsNoteWhenCountsAreEqual(
      Collective collective, String key, int size) {
    Algorithm algorithm = Algorithms.get(collective, key);
    int count = 64;
    for (int root : roots(algorithm, size)) {
      Calls calls = Calls.of(algorithm, size, root, count).get(0);
      SymbolicTeam team = new SymbolicTeam(calls).run();
      Note note = Note.of(calls);

      assertThat(team.steps()).as("steps of %s", calls).isEqualTo(note.steps());
      long sum = 0;
      for (int rank = 0; rank < size; rank++) {
        sum += team.schedule(rank).elementsSent();
        assertThat(team.schedule(rank).elementsSent())
            .as("elements sent by rank %s of %s", rank, calls)
            .isLessThanOrEqualTo(note.mostByOneRank());
      }
      if (note.total() >= 0) {
        assertThat(sum).as("elements sent in %s", calls).isEqualTo(note.total());
      }
    }
  }

  @Test
  void shouldNotReadMemoryThatIsNoneOfItsOwnWhenVectorsAreRead() {
    Shape shape = Shape.vector(2, 5, 1, 10);

    var rounds = Algorithms.get(Collective.REDUCE, "binomial").schedule(shape).rounds();

    assertThat(rounds.stream().flatMap(round -> round.receives().stream()))
        .allMatch(receive -> receive.into().memory() == Memory.SCRATCH);
  }

  @Test
  void shouldNameEachAlgorithmOnceInItsCollective() {
    Set<String> names = new HashSet<>();

    assertThat(Algorithms.all())
        .allSatisfy(
            each -> assertThat(names.add(each.collective().key() + " " + each.key())).isTrue());
  }

  @Test
  void shouldHaveAnAlgorithmThatKeepsOrderAndOneForUnequalBlocksForEveryCollective() {
    assertThat(Collective.values())
        .allSatisfy(each -> assertThat(Algorithms.of(each)).anyMatch(Algorithm::keepsOrder))
        .allSatisfy(each -> assertThat(Algorithms.of(each)).anyMatch(Algorithm::irregular));
  }

  @Test
  void shouldSayWhichAlgorithmsThereAreWhenAskedForAnother() {
    assertThatThrownBy(() -> Algorithms.get(Collective.ALLREDUCE, "rign"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "algorithm=[rign] is none of allreduce, choose one of recursive-doubling,"
                + " rabenseifner, ring, binomial, two-level");
  }
}
