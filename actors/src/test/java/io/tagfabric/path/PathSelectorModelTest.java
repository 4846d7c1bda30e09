package io.tagfabric.path;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** The selector against sums that are taken anew for every choice. */
class PathSelectorModelTest {
  private static final int WINDOW = 1000;

  record Step(int bytes, boolean acknowledge) {}

  private record Sent(int path, int bytes) {}

  @Provide
  Arbitrary<List<Step>> steps() {
    return Combinators.combine(Arbitraries.integers().between(1, 700), Arbitraries.of(true, false))
        .as(Step::new)
        .list()
        .ofMaxSize(200);
  }

  @Property
  void shouldBeginEachWindowOnThePathWithTheLeastOutstanding(
      @ForAll("steps") List<Step> steps,
      @ForAll @IntRange(min = 0, max = 3) int lmc,
      @ForAll @IntRange(min = -5, max = 20) int source) {
    int count = 1 << lmc;
    PathSelector selector =
        new PathSelector(new PathSettings(count, PathPolicy.ADAPTIVE, WINDOW), source, 7);
    Deque<Sent> flying = new ArrayDeque<>();
    int last = selector.small();
    int windowLeft = 0;

    for (Step step : steps) {
      if (step.acknowledge() && !flying.isEmpty()) {
        Sent first = flying.pollFirst();
        selector.acknowledged(first.path(), first.bytes());
      }
      int expected = windowLeft > 0 ? last : leastAfter(last, count, flying);
      int path = selector.bulk();
      assertThat(path).isEqualTo(expected);
      boolean begins = selector.tookBulk(path, step.bytes());
      assertThat(begins).isEqualTo(windowLeft <= 0);
      windowLeft = (begins ? WINDOW : windowLeft) - step.bytes();
      last = path;
      selector.sent(path, step.bytes());
      flying.addLast(new Sent(path, step.bytes()));
      assertThat(selector.outstanding(path)).isEqualTo(sum(path, flying));
    }
  }

  /** In turn after the last path, the first of those with the smallest sum. */
  private static int leastAfter(int last, int count, Deque<Sent> flying) {
    int first = count == 1 ? 0 : 1;
    int best = -1;
    for (int path = last + 1; path < count; path++) {
      best = better(path, best, flying);
    }
    for (int path = first; path <= last; path++) {
      best = better(path, best, flying);
    }
    return best;
  }

  private static int better(int path, int best, Deque<Sent> flying) {
    return best < 0 || sum(path, flying) < sum(best, flying) ? path : best;
  }

  private static long sum(int path, Deque<Sent> flying) {
    return flying.stream().filter(sent -> sent.path() == path).mapToLong(Sent::bytes).sum();
  }

  @Property
  void shouldKeepControlApartAndDataOnOnePathWhenThePolicyIsStatic(
      @ForAll PathPolicy policy,
      @ForAll @IntRange(min = 1, max = 3) int lmc,
      @ForAll int source,
      @ForAll int destination) {
    PathSettings settings = new PathSettings(1 << lmc, policy, WINDOW);
    PathSelector selector = new PathSelector(settings, source, destination);

    assertThat(selector.control()).isZero();
    assertThat(selector.small()).isBetween(0, settings.count() - 1);
    if (policy == PathPolicy.STATIC_BASE) {
      assertThat(selector.small()).isZero();
    } else {
      assertThat(selector.small()).isPositive();
    }
    if (policy != PathPolicy.ADAPTIVE) {
      for (int i = 0; i < 20; i++) {
        assertThat(selector.bulk()).isEqualTo(selector.small());
        selector.tookBulk(selector.bulk(), WINDOW);
        selector.sent(selector.bulk(), WINDOW);
      }
      assertThat(selector.bulkChoices()).isEqualTo(1);
    }
  }

  @Property
  void shouldUseAllDataPathsWhenRanksOrPeersAreMany(@ForAll @IntRange(min = 1, max = 3) int lmc) {
    int count = 1 << lmc;
    Set<Integer> bySource = new HashSet<>();
    Set<Integer> byDestination = new HashSet<>();
    for (int number = 0; number < count; number++) {
      bySource.add(
          new PathSelector(new PathSettings(count, PathPolicy.STATIC_SRC, WINDOW), number, 3)
              .small());
      byDestination.add(
          new PathSelector(new PathSettings(count, PathPolicy.STATIC_DEST, WINDOW), 3, number)
              .small());
    }

    assertThat(bySource).hasSize(count - 1);
    assertThat(byDestination).hasSize(count - 1);
  }
}
