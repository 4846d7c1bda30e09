package io.tagfabric.bench.progress;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

class ProgressCommandTest {
  private static final long MILLI_NS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final TrialTimes SHORT =
      new TrialTimes(10 * MILLI_NS, 50 * MILLI_NS, 50 * MILLI_NS, 1, 20 * MILLI_NS);

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int execute(String... arguments) {
    return new CommandLine(new ProgressCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  static List<ProgressWay> ways() {
    return ProgressWay.ALL;
  }

  @ParameterizedTest
  @MethodSource("ways")
  void shouldBringAllMessagesInEachWay(ProgressWay way) {
    Figures figures = new WayTrial(way, SHORT).measure();

    assertThat(figures.p50Us()).isPositive();
    assertThat(figures.p99Us()).isGreaterThanOrEqualTo(figures.p50Us());
    assertThat(figures.passesPerSecond()).isPositive();
    assertThat(figures.deliveredMs()).isPositive();
    boolean nobodyDrives = way.name().equals("manual") || way.name().equals("deferred");
    if (nobodyDrives) {
      assertThat(figures.deliveredMs()).isGreaterThanOrEqualTo(figures.computingMs());
      assertThat(figures.threadPercent()).isZero();
      assertThat(figures.idleWakeUpsPerSecond()).isZero();
    }
  }

  @Test
  void shouldPrintTheRowsThatAreWanted() {
    assertThat(execute("--quick", "--json", "--ways", "rate,manual")).isZero();

    List<Config> rows = out.toString().lines().map(ConfigFactory::parseString).toList();
    assertThat(rows)
        .extracting(row -> row.getString("way"))
        .containsExactly("manual", "rate", "rate");
    assertThat(rows.get(1).getString("settings")).isEqualTo("rate = 100");
    assertThat(rows.get(1).getDouble("wakes_per_s")).isLessThanOrEqualTo(120);
    assertThat(rows.get(0).getDouble("delivered_ms"))
        .isGreaterThanOrEqualTo(rows.get(0).getDouble("computing_ms"));
    Config flood = rows.get(2);
    assertThat(flood.getLong("flood_messages")).isPositive();
    // Each of the two questions for the number wakes the thread too.
    assertThat(flood.getDouble("flood_wakes"))
        .isLessThanOrEqualTo(flood.getDouble("flood_seconds") * 100 * 1.1 + 4);
  }

  @Test
  void shouldFloodADomainAndGetAllMessages() {
    ProgressWay way = ProgressWay.ALL.get(1);

    FloodTrial.Flood flood = new FloodTrial(way, SHORT).measure();

    assertThat(flood.messages()).isPositive();
    assertThat(flood.seconds()).isGreaterThanOrEqualTo(SHORT.busyNs() / 1e9);
  }

  @Test
  void shouldNameTheWaysThatThereAre() {
    assertThat(execute("--ways", "eager")).isEqualTo(2);

    assertThat(err.toString())
        .startsWith("--ways=eager is unknown, choose from manual, auto, rate, interval,");
    assertThat(out.toString()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Observed.class)
  void shouldMeasureWhatItCostsToBeSeen(Observed observed) {
    ObservedTrial.Cost cost = new ObservedTrial(observed, SHORT).measure();

    assertThat(cost.p50Us()).isPositive();
    assertThat(cost.messagesPerSecond()).isPositive();
  }

  @Test
  void shouldCompareEachRoundWithItself() {
    List<Double> ratios = ObservedTable.ratios(List.of(3.0, 4.0, 9.0), List.of(1.0, 4.0, 6.0));

    assertThat(ratios).containsExactly(1.0, 1.5, 3.0);
    assertThat(ObservedTable.median(ratios)).isEqualTo(1.5);
    assertThat(ObservedTable.median(List.of(4.0, 1.0))).isEqualTo(2.5);
  }

  @Test
  void shouldRefuseWaysOfWhatIsObserved() {
    assertThat(execute("--observed", "--ways", "auto")).isEqualTo(2);

    assertThat(err.toString()).startsWith("--ways is not of --observed");
  }
}
