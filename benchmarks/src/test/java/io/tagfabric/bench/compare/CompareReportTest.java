package io.tagfabric.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.bench.compare.CoreToCore.Spread;
import io.tagfabric.bench.measure.Cell;
import io.tagfabric.bench.measure.Metric;
import io.tagfabric.report.Comparison;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class CompareReportTest {
  private static Config row(Result.Distances distances) {
    double[] ours = {2};
    double[] theirs = {4};
    Result result =
        new Result(
            Group.Reach.ONE_HOST,
            new Cell(Metric.LATENCY, 8, 1),
            new Pretender("shm", true, null, List.of()),
            new Pretender("openmpi-shm", true, null, List.of()),
            2,
            4,
            Optional.of(Comparison.of("openmpi-shm", "p50_us", ours, theirs)),
            1,
            OptionalDouble.empty(),
            Result.Spans.of(ours, theirs),
            Result.Tails.NONE,
            distances,
            "");
    StringWriter out = new StringWriter();
    new CompareReport(new PrintWriter(out, true), true).add(List.of(result));
    return ConfigFactory.parseString(out.toString());
  }

  @Test
  void shouldNameTheMedianDistanceBesideTheRunsOfEach() {
    Config row = row(new Result.Distances(new Spread(30, 190, 251), new Spread(31, 40, 50)));

    assertThat(row.getDouble("ours_core_to_core_ns")).isEqualTo(190);
    assertThat(row.getDouble("theirs_core_to_core_ns")).isEqualTo(40);
  }

  @Test
  void shouldNameNoDistanceThatIsNotKnown() {
    Config row = row(Result.Distances.UNKNOWN);

    assertThat(row.hasPath("ours_core_to_core_ns")).isFalse();
    assertThat(row.hasPath("theirs_core_to_core_ns")).isFalse();
    assertThat(row.getDouble("ours")).isEqualTo(2);
  }
}
