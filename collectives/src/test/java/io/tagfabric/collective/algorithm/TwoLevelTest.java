package io.tagfabric.collective.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagfabric.collective.schedule.Round;
import io.tagfabric.collective.schedule.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Two levels with every algorithm between hosts, for all ways to put ranks on hosts. */
class TwoLevelTest {
  private static final int MOST = 6;
  private static final List<Integer> COUNTS = List.of(0, 1, 7);

  static Stream<Arguments> between() {
    return Algorithms.all().stream()
        .filter(TwoLevel.class::isInstance)
        .map(TwoLevel.class::cast)
        .flatMap(
            levels ->
                Algorithms.of(levels.collective()).stream()
                    .filter(each -> each != levels)
                    .map(each -> Arguments.of(each.collective(), each.key(), levels, each)));
  }

  /** All ways for so many ranks: host numbers in the order of their lowest ranks. */
  private static List<List<Integer>> placements(int size) {
    List<List<Integer>> all = new ArrayList<>();
    all.add(List.of());
    for (int rank = 0; rank < size; rank++) {
      List<List<Integer>> longer = new ArrayList<>();
      for (List<Integer> each : all) {
        int hosts = each.stream().mapToInt(host -> host + 1).max().orElse(0);
        for (int host = 0; host <= hosts; host++) {
          List<Integer> more = new ArrayList<>(each);
          more.add(host);
          longer.add(more);
        }
      }
      all = longer;
    }
    return all;
  }

  private static void check(TwoLevel levels, Algorithm between, Hosts hosts, int count) {
    TwoLevel algorithm = levels.on(hosts, between);
    int roots = algorithm.collective().rooted() ? hosts.size() : 1;
    for (int root = 0; root < roots; root++) {
      AlgorithmsTest.check(Calls.of(algorithm, hosts.size(), root, count).get(0));
    }
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("between")
  void shouldBringEveryContributionOnceAndInOrderWhereverRanksAre(
      Collective collective, String key, TwoLevel levels, Algorithm between) {
    for (int size = 1; size <= MOST; size++) {
      for (List<Integer> placement : placements(size)) {
        for (int count : COUNTS) {
          check(levels, between, Hosts.of(placement), count);
        }
      }
    }
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("between")
  void shouldDoSoWhenTeamsAreLarge(
      Collective collective, String key, TwoLevel levels, Algorithm between) {
    Random random = new Random(11);
    for (int size : new int[] {13, 17, 33}) {
      for (int hosts : new int[] {2, 3, 7}) {
        check(
            levels, between, Hosts.of(random.ints(size, 0, hosts).boxed().toList()), COUNTS.get(2));
        check(
            levels,
            between,
            Hosts.of(random.ints(size, 0, hosts).sorted().boxed().toList()),
            COUNTS.get(2));
      }
    }
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("between")
  void shouldSendBetweenHostsWhatTheAlgorithmThereSends(
      Collective collective, String key, TwoLevel levels, Algorithm between) {
    Hosts hosts = Hosts.of(List.of(0, 1, 0, 2, 2, 0, 1, 2, 2));
    int count = 64;
    for (int root : new int[] {0, 3, 4}) {
      int rooted = collective.rooted() ? root : 0;
      Calls calls = Calls.of(levels.on(hosts, between), hosts.size(), rooted, count).get(0);
      Calls alone = Calls.of(between, hosts.count(), hosts.of(rooted), count).get(0);

      assertThat(crossing(calls, hosts))
          .as("%s", calls)
          .isEqualTo(crossing(alone, Hosts.apart(hosts.count())));
    }
  }

  /** The lengths of what is sent from host to host, in no order. */
  private static List<Integer> crossing(Calls calls, Hosts hosts) {
    return IntStream.range(0, calls.size())
        .boxed()
        .flatMap(
            rank ->
                calls.algorithm().schedule(calls.shape(rank)).rounds().stream()
                    .map(Round::sends)
                    .flatMap(List::stream)
                    .filter(send -> hosts.of(send.to()) != hosts.of(rank)))
        .map(Step.Send::from)
        .map(slice -> slice.length())
        .sorted()
        .toList();
  }

  @Test
  void shouldNumberHostsInTheOrderOfTheirLowestRanks() {
    Hosts hosts = Hosts.of(List.of("b", "a", "b", "c"));

    assertThat(hosts.count()).isEqualTo(3);
    assertThat(hosts.of(3)).isEqualTo(2);
    assertThat(hosts.ranksOn(0)).containsExactly(0, 2);
    assertThat(hosts.most()).isEqualTo(2);
    assertThat(hosts.isNested()).isTrue();
    assertThat(hosts.areIntervals()).isFalse();
    assertThat(hosts.among(List.of(3, 0, 2))).isEqualTo(Hosts.of(List.of(0, 1, 1)));
    assertThat(hosts.among(List.of(3, 0, 2)).areIntervals()).isTrue();
  }

  @Test
  void shouldNotBeNestedWhenRanksShareOneHostOrNone() {
    assertThat(Hosts.of(List.of(5, 5, 5)).isNested()).isFalse();
    assertThat(Hosts.apart(3).isNested()).isFalse();
    assertThat(Hosts.of(List.of(1)).isNested()).isFalse();
  }

  @Test
  void shouldLetTheRootSpeakForItsHost() {
    Hosts hosts = Hosts.of(List.of(0, 0, 1, 1, 1));

    Levels root = new Levels(hosts, 3, 3);

    assertThat(root.leaders()).containsExactly(0, 3);
    assertThat(root.leads()).isTrue();
    assertThat(root.within(1)).isEqualTo(Shape.vector(1, 3, 1, 1));
    assertThat(root.between(1)).isEqualTo(Shape.vector(1, 2, 1, 1));
    assertThat(new Levels(hosts, 2, 3).leads()).isFalse();
  }

  @Test
  void shouldRefuseAnAlgorithmOfAnotherCollective() {
    TwoLevel broadcast = (TwoLevel) Algorithms.get(Collective.BROADCAST, "two-level");
    Algorithm ring = Algorithms.get(Collective.ALLREDUCE, "ring");

    assertThatThrownBy(() -> broadcast.on(Hosts.apart(2), ring))
        .hasMessage("allreduce is not broadcast");
  }
}
