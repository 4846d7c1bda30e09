package io.tagfabric.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class TrialTest {
  private static final long COLD_NS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long WARM_NS = TimeUnit.MICROSECONDS.toNanos(1);
  private static final long ROUND_NS = TimeUnit.MILLISECONDS.toNanos(20);

  /** Its first calls are slow, as those of code that is not compiled. */
  private static final class ColdAtFirst implements Subject {
    private final int coldRuns;
    private final List<Integer> rounds = new ArrayList<>();
    private long spentNs;

    ColdAtFirst(int coldRuns) {
      this.coldRuns = coldRuns;
    }

    @Override
    public String name() {
      return "cold";
    }

    @Override
    public String provider() {
      return "pretended";
    }

    @Override
    public long run(int bytes, int iterations, Histogram spansNs) {
      long elapsedNs = iterations * (rounds.size() < coldRuns ? COLD_NS : WARM_NS);
      rounds.add(iterations);
      spentNs += elapsedNs;
      return elapsedNs;
    }
  }

  private static Trial trial(Budget budget, int iterations) {
    return new Trial(TransferKind.LATENCY, 1, budget, iterations, "manual");
  }

  @Test
  void shouldMakeRoundsLongerWhenCodeGetsFaster() {
    ColdAtFirst subject = new ColdAtFirst(3);

    trial(Budget.FULL, 0).warmUp(subject, 8);

    int last = subject.rounds.get(subject.rounds.size() - 1);
    assertThat(last * WARM_NS).isBetween(ROUND_NS, 2 * ROUND_NS);
  }

  @Test
  void shouldCountSlowRoundsAsTimeOfTheWarmUp() {
    ColdAtFirst subject = new ColdAtFirst(1_000_000);
    Budget budget = Budget.ofMillis(100, 300, 0, 100);

    trial(budget, 0).warmUp(subject, 8);

    assertThat(subject.spentNs).isBetween(budget.warmUpMinNs(), 2 * budget.warmUpMaxNs());
  }

  @Test
  void shouldReturnAsManyIterationsAsFillARunOnceWarm() {
    int iterations = trial(Budget.FULL, 0).warmUp(new ColdAtFirst(3), 8);

    assertThat(iterations * WARM_NS).isEqualTo(Budget.FULL.runNs());
  }

  @Test
  void shouldDoTheLeastIterationsThoughRoundsAreSteady() {
    ColdAtFirst subject = new ColdAtFirst(0);
    Budget budget = Budget.ofMillis(1, 10_000, 1_000_000, 100);

    trial(budget, 0).warmUp(subject, 8);

    assertThat(subject.rounds.stream().mapToInt(Integer::intValue).sum())
        .isGreaterThanOrEqualTo(1_000_000);
  }

  @Test
  void shouldReturnTheIterationsThatWereAskedFor() {
    assertThat(trial(Budget.FULL, 123).warmUp(new ColdAtFirst(3), 8)).isEqualTo(123);
  }
}
