package io.tagfabric.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MatchTrialTest {
  private static final long LIMIT_NS = 1_000_000;

  private final List<Integer> depths = new ArrayList<>();

  /** Walks a list: the square of the depth in nanoseconds. */
  private final MatchSubject list =
      new MatchSubject() {
        @Override
        public String name() {
          return "list";
        }

        @Override
        public String provider() {
          return "pretended";
        }

        @Override
        public long run(MatchKind kind, int depth) {
          depths.add(depth);
          return (long) depth * depth;
        }
      };

  private final MatchTrial trial =
      new MatchTrial(list, MatchKind.POSTED, new Budget(0, 0, 0, 20_000), LIMIT_NS);

  @Test
  void shouldRepeatPassesUntilTheBudgetIsUsed() {
    double ns = trial.run(100);

    assertThat(ns).isBetween(99.9, 100.1);
    assertThat(depths).containsExactly(100, 100);
    assertThat(trial.operations()).isEqualTo(200);
  }

  @Test
  void shouldLeaveADepthOutWhoseTimeItForetells() {
    assertThat(trial.tooLong(1 << 20)).as("nothing is known yet").isEmpty();
    trial.run(100);

    assertThat(trial.tooLong(900)).isEmpty();
    assertThat(trial.tooLong(1_100)).contains("depth=1100 would take about 0 s a pass > 0 s");
  }
}
