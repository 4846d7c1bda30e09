package io.tagfabric.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AccessesTest {
  private static final long ACCESS_NS = 2_000;
  private static final Cell WRITE = new Cell(Metric.RMA_WRITE, 64, 1);
  private static final Cell ADD = new Cell(Metric.RMA_FETCH_ADD, 8, 1);

  private final List<Integer> counts = new ArrayList<>();

  private List<Sample> played(Workload workload) {
    List<Sample> samples = new ArrayList<>();
    Accesses.Subject subject =
        (cell, count) -> {
          counts.add(count);
          return (cell.equals(WRITE) ? 1 : 3) * ACCESS_NS * count;
        };
    new Accesses(workload, subject).play(samples::add);
    return samples;
  }

  @Test
  void shouldGiveTheTimeOfOneAccessOfEachCellInOrder() {
    List<Sample> samples = played(new Workload(1, 1, 10, 1, List.of(WRITE, ADD)));

    assertThat(samples)
        .containsExactly(
            new Sample(Metric.RMA_WRITE, 64, 2, 0, ""),
            new Sample(Metric.RMA_FETCH_ADD, 8, 6, 0, ""));
  }

  @Test
  void shouldWarmUpAndThenFillTheTimeOfARun() {
    played(new Workload(1, 1, 10, 1, List.of(WRITE)));

    assertThat(counts.get(0)).isEqualTo(10);
    assertThat(counts.get(counts.size() - 1)).isEqualTo(5_000);
    assertThat(counts.subList(0, counts.size() - 1))
        .as("the warm-up grows until a round takes 20 ms")
        .isSorted()
        .anyMatch(count -> count * ACCESS_NS >= 20_000_000);
  }
}
