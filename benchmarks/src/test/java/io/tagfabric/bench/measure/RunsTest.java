package io.tagfabric.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.report.Report;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class RunsTest {
  private static final int ITERATIONS = 1_000;

  private final StringWriter text = new StringWriter();
  private final Report report = Report.json(new PrintWriter(text), Map.of());
  private final List<String> measured = new ArrayList<>();
  private long ranTicks;
  private long stolenTicks;

  /** Pretends that an iteration takes a number of nanoseconds, another one in each run. */
  private final class Pretender implements Subject {
    private final String name;
    private final long[] iterationNs;
    private int run;
    private int[] stolenPctOfRuns = {};

    Pretender(String name, long... iterationNs) {
      this.name = name;
      this.iterationNs = iterationNs;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public String provider() {
      return "pretended";
    }

    @Override
    public long run(int bytes, int iterations, Histogram spansNs) {
      boolean warmUp = iterations != ITERATIONS;
      long ns = warmUp ? iterationNs[0] : iterationNs[run++];
      if (!warmUp) {
        measured.add(name);
        passSecond(run <= stolenPctOfRuns.length ? stolenPctOfRuns[run - 1] : 0);
      }
      spansNs.recordValue(ns);
      return ns * iterations;
    }
  }

  private Runs runs(TransferKind kind, int window, int count, int iterations) {
    return new Runs(
        new Trial(kind, window, Budget.FULL, iterations, "manual"),
        count,
        new StolenTime(() -> "cpu  " + ranTicks + " 0 0 0 0 0 0 " + stolenTicks));
  }

  /** A second of one processor passes; the host takes so much of it. */
  private void passSecond(int stolenPct) {
    ranTicks += 100 - stolenPct;
    stolenTicks += stolenPct;
  }

  @Test
  void shouldLetRunsTakeTurns() {
    Runs runs = runs(TransferKind.LATENCY, 1, 3, ITERATIONS);

    runs.measure(
        List.of(new Pretender("us", 20, 20, 20), new Pretender("them", 10, 10, 10)), 8, report);

    assertThat(measured).containsExactly("us", "them", "us", "them", "us", "them");
  }

  @Test
  void shouldCompareNeighbouringRunsAndShowTheOneInTheMiddle() {
    Runs runs = runs(TransferKind.LATENCY, 1, 3, ITERATIONS);

    runs.measure(
        List.of(
            new Pretender("us", 4_000, 10_000, 6_000), new Pretender("them", 8_000, 10_000, 2_000)),
        8,
        report);

    Config row = ConfigFactory.parseString(text.toString());
    assertThat(row.getDouble("usec_per_xfer")).isEqualTo(3);
    assertThat(row.getDouble("p50_us"))
        .isCloseTo(3, org.assertj.core.data.Percentage.withPercentage(1));
    assertThat(row.getString("peer")).isEqualTo("them");
    assertThat(row.getDouble("theirs")).isEqualTo(4);
    assertThat(row.getDouble("ratio_min")).isEqualTo(0.5);
    assertThat(row.getDouble("ratio_median")).isEqualTo(1);
    assertThat(row.getDouble("ratio_max")).isEqualTo(3);
    assertThat(row.getString("provider")).isEqualTo("pretended");
  }

  @Test
  void shouldSendWholeHalvesOfTheWindowWhenARateIsMeasured() {
    int asked = ITERATIONS - 3;
    Runs runs = runs(TransferKind.RATE, 100, 1, asked);

    runs.measure(List.of(new Pretender("us", 500)), 8, report);

    Config row = ConfigFactory.parseString(text.toString());
    assertThat(row.getInt("iters")).isEqualTo(ITERATIONS);
    assertThat(row.getDouble("mxfers_per_s")).isEqualTo(2);
    assertThat(row.getDouble("p50_us"))
        .isCloseTo(0.01, org.assertj.core.data.Percentage.withPercentage(1));
  }

  @Test
  void shouldRepeatTurnsThatTheHostDisturbed() {
    Pretender us = new Pretender("us", 1_000, 900_000, 3_000, 2_000);
    us.stolenPctOfRuns = new int[] {2, 50, 0, 4};

    runs(TransferKind.LATENCY, 1, 3, ITERATIONS)
        .measure(List.of(us, new Pretender("them", 1_000, 1, 1_000, 1_000)), 8, report);

    Config row = ConfigFactory.parseString(text.toString());
    assertThat(measured).hasSize(8);
    assertThat(row.getDouble("usec_per_xfer")).isEqualTo(1);
    assertThat(row.getDouble("ratio_min")).isEqualTo(1);
    assertThat(row.getDouble("ratio_median")).isEqualTo(2);
    assertThat(row.getDouble("ratio_max")).isEqualTo(3);
    assertThat(row.getDouble("stolen_pct")).isEqualTo(2); // of two seconds, 4 % of one
  }

  @Test
  void shouldTakeTheLeastDisturbedIfTheHostIsNeverQuiet() {
    Pretender us = new Pretender("us", 8_000, 4_000, 2_000, 6_000);
    us.stolenPctOfRuns = new int[] {90, 40, 30, 80};

    runs(TransferKind.LATENCY, 1, 2, ITERATIONS).measure(List.of(us), 8, report);

    Config row = ConfigFactory.parseString(text.toString());
    assertThat(measured).hasSize(4);
    assertThat(row.getDouble("usec_per_xfer")).isEqualTo(2);
    assertThat(row.getDouble("stolen_pct")).isEqualTo(40);
  }
}
