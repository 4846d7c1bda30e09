package io.tagfabric.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReportTest {
  /** 1000 round trips of 1 KiB in 10 ms: 5 us a transfer. */
  private static final Measurement KIB =
      new Measurement(1024, 1000, 2, 10_000_000, 4.75, 21.5, "local", "manual");

  private final Locale before = Locale.getDefault();
  private final StringWriter text = new StringWriter();
  private final PrintWriter out = new PrintWriter(text);

  @AfterEach
  void restoreLocale() {
    Locale.setDefault(before);
  }

  @Test
  void shouldPrintTheHeaderOnceAndARowEach() {
    Report report = Report.table(out);

    report.add(KIB);
    report.add(new Measurement(8, 200, 2, 200_000_000, 490, 900, "artery", "auto"));

    assertThat(text.toString().lines().map(line -> line.replaceAll(" +", " ")))
        .containsExactly(
            "bytes iters total time MB/sec usec/xfer Mxfers/sec p50 p99",
            "1k 1k 1.9m 0.010s 204.80 5.00 0.20 4.75 21.50",
            "8 200 3.1k 0.20s 0.016 500.00 0.0020 490.00 900.00");
  }

  @Test
  void shouldAlignColumns() {
    Report report = Report.table(out);

    report.add(KIB);

    assertThat(text.toString().lines().mapToInt(String::length).distinct().count()).isEqualTo(1);
  }

  @Test
  void shouldPrintOneObjectALineInAnyLocale() {
    Locale.setDefault(Locale.GERMANY);
    Report report = Report.json(out, new TreeMap<>(Map.of("window", 64, "bench", "a\"b\\\n")));

    report.add(KIB);

    assertThat(text.toString())
        .isEqualTo(
            "{\"bytes\": 1024, \"iters\": 1000, \"time_s\": 0.01, \"mb_per_s\": 204.8,"
                + " \"usec_per_xfer\": 5, \"mxfers_per_s\": 0.2, \"p50_us\": 4.75, \"p99_us\":"
                + " 21.5, \"provider\": \"local\", \"progress\": \"manual\", \"bench\":"
                + " \"a\\\"b\\\\\\u000a\", \"window\": 64}\n");
  }

  @Test
  void shouldWriteSmallNumbersWithoutExponent() {
    Report report = Report.json(out, Map.of());

    report.add(new Measurement(1, 1, 1, 3_000_000_000_000L, Double.NaN, 1e-9, "local", "auto"));

    assertThat(text.toString())
        .contains(
            "\"mb_per_s\": 0.000000000333333,", "\"p50_us\": null,", "\"p99_us\": 0.000000001");
  }

  @Test
  void shouldAddThePeerWhenThereIsOne() {
    Comparison comparison =
        Comparison.of("akka", "usec_per_xfer", new double[] {4, 6, 5}, new double[] {8, 6, 20});
    Report json = Report.json(out, Map.of());

    json.add(KIB, Optional.of(comparison), OptionalDouble.of(1.5), Map.of("cpu_usec", 0.25));

    Config line = ConfigFactory.parseString(text.toString());
    assertThat(line.getString("peer")).isEqualTo("akka");
    assertThat(line.getDouble("ours")).isEqualTo(5);
    assertThat(line.getDouble("theirs")).isEqualTo(8);
    assertThat(line.getDouble("ratio_min")).isEqualTo(0.25);
    assertThat(line.getDouble("ratio_median")).isEqualTo(0.5);
    assertThat(line.getDouble("ratio_max")).isEqualTo(1);
    assertThat(line.getDouble("stolen_pct")).isEqualTo(1.5);
    assertThat(line.getDouble("cpu_usec")).isEqualTo(0.25);
  }

  @Test
  void shouldSayTheRatioBelowTheRowWhenPeopleRead() {
    Comparison comparison =
        Comparison.of("akka", "usec_per_xfer", new double[] {4, 6}, new double[] {8, 6});

    Report.table(out).add(KIB, Optional.of(comparison), OptionalDouble.of(5), Map.of());

    assertThat(text.toString())
        .endsWith("  tagfabric 5.00, akka 7.00 usec_per_xfer: ratio 0.75 (0.50 to 1.00)\n");
  }

  @Test
  void shouldWarnPeopleOfADisturbedMachine() {
    Report.table(out).add(KIB, Optional.empty(), OptionalDouble.of(35.2), Map.of());

    assertThat(text.toString())
        .endsWith(
            "  other guests of this host took up to 35 % of the processors, measure again later\n");
  }

  @Test
  void shouldRefuseRunsThatCannotBeCompared() {
    assertThatThrownBy(() -> Comparison.of("akka", "us", new double[1], new double[2]))
        .hasMessage("ours=1 runs, theirs=2 runs, alternate them");
    assertThatThrownBy(() -> Comparison.of("akka", "us", new double[] {1}, new double[] {0}))
        .hasMessageContaining("theirs=0.0 must be greater than 0");
    assertThatThrownBy(() -> Comparison.of("akka", "us", new double[0], new double[0]))
        .hasMessageContaining("ours=0 runs");
  }

  @Test
  void shouldRefuseAMeasurementOfNothing() {
    assertThatThrownBy(() -> new Measurement(8, 0, 1, 1, 0, 0, "local", "auto"))
        .hasMessageStartingWith("iterations=0 ");
  }
}
