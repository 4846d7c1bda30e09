package io.tagfabric.bench.ours;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.bench.measure.Fairness;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

class CrowdTest {
  private static final int RANKS = 16;

  @ParameterizedTest
  @EnumSource(Crowd.class)
  void shouldHearThoseThatSend(Crowd crowd) {
    for (int group = crowd.step(); crowd.ranks(group) <= RANKS; group += crowd.step()) {
      List<String> sent = new ArrayList<>();
      List<String> heard = new ArrayList<>();
      for (int rank = 0; rank < RANKS; rank++) {
        int here = rank;
        if (crowd.targetOf(rank, group) != Crowd.NONE) {
          sent.add(rank + " to " + crowd.targetOf(rank, group));
        }
        Arrays.stream(crowd.sourcesOf(rank, group))
            .forEach(from -> heard.add(from + " to " + here));
      }
      assertThat(heard).as("%s of %d", crowd, group).containsExactlyInAnyOrderElementsOf(sent);
      assertThat(crowd.sourcesOf(0, group)).as("rank 0 takes part").isNotEmpty();
    }
  }

  @Test
  void shouldHaveAsManySendersAsTheGroupSays() {
    assertThat(Crowd.FAN_IN.sourcesOf(0, 15))
        .containsExactly(IntStream.rangeClosed(1, 15).toArray());
    assertThat(Crowd.FAN_IN.ranks(15)).isEqualTo(16);
    assertThat(Crowd.PAIRS.ranks(16)).isEqualTo(16);
    assertThat(Crowd.PAIRS.sourcesOf(14, 16)).containsExactly(15);
    assertThat(Crowd.PAIRS.sourcesOf(14, 14)).isEmpty();
  }

  @Test
  void shouldCompareRunsOfTheSameTurn() {
    CrowdFigures first = new CrowdFigures();
    first.add(new double[] {10}, OptionalDouble.empty());
    first.add(new double[] {40}, OptionalDouble.empty());
    first.add(new double[] {20}, OptionalDouble.empty());
    CrowdFigures figures = new CrowdFigures();
    figures.add(new double[] {5, 5}, OptionalDouble.of(1)); // ratio 1
    figures.add(new double[] {9, 3}, OptionalDouble.of(7)); // ratio 0.3
    figures.add(new double[] {5, 6}, OptionalDouble.empty()); // ratio 0.55

    Map<String, Object> row = new LinkedHashMap<>();
    figures.write(row, first);

    assertThat(row)
        .containsEntry("messages_per_s", 11.0)
        .containsEntry("rate_min", 10.0)
        .containsEntry("rate_max", 12.0)
        .containsEntry("ratio", 0.55)
        .containsEntry("ratio_min", 0.3)
        .containsEntry("ratio_max", 1.0)
        .containsEntry("share_min", 5.0 / 11)
        .containsEntry("share_max", 6.0 / 11)
        .containsEntry("jain", Fairness.jain(5, 6))
        .containsEntry("jain_min", Fairness.jain(9, 3))
        .containsEntry("stolen_pct", 7.0);
  }

  @Test
  void shouldSendResultsAndOrders() {
    StreamResult result = StreamResult.of(new StreamResult(2_000, List.of(4L, 10L)).encode());

    assertThat(result.rates()).containsExactly(new double[] {2e6, 5e6}, within(1e-3));
    StreamOrder order = new StreamOrder(15, -5, 7);
    assertThat(StreamOrder.of(order.encode())).isEqualTo(order);
    assertThat(StreamOrder.of(StreamOrder.END.encode()).group()).isZero();
  }

  @Test
  void shouldHandOptionsToTheRanks() {
    FanInOptions given = new FanInOptions();
    new CommandLine(given)
        .parseArgs(
            "--senders=2,5",
            "--window=32",
            "--wait=polling",
            "--run-ms=30",
            "--warm-up=2500ms",
            "--runs=2");
    given.betweenRanks();
    FanInOptions taken = new FanInOptions();
    new CommandLine(taken).parseArgs(given.arguments().toArray(String[]::new));

    assertThat(given.complaint()).isNull();
    assertThat(taken).usingRecursiveComparison().isEqualTo(given);
    assertThat(taken.warmUp()).isEqualTo(Duration.ofMillis(2500));
    assertThat(taken.senders).containsExactly(2, 5);
    assertThat(taken.provider).isEqualTo(Providers.SHM);
    assertThat(taken.ranks()).isEqualTo(6);
  }

  @Test
  void shouldHandRanksToTheRanks() {
    CrowdedPairsOptions given = new CrowdedPairsOptions();
    new CommandLine(given)
        .parseArgs("--ranks=2,4", "--progress=auto", "--runs=3", "--warm-up=9s", "--json");
    given.betweenRanks();
    CrowdedPairsOptions taken = new CrowdedPairsOptions();
    new CommandLine(taken).parseArgs(given.arguments().toArray(String[]::new));

    assertThat(taken).usingRecursiveComparison().isEqualTo(given);
    assertThat(taken.ranks()).isEqualTo(4);
  }

  @Test
  void shouldGiveTheRanksTimeUnlessToldHowLong() {
    CrowdedPairsOptions options = new CrowdedPairsOptions();
    new CommandLine(options).parseArgs("--ranks=2,16", "--runs=5", "--run-ms=1000");
    assertThat(options.deadline()).isEqualTo(Duration.ofSeconds(60 + 160 + 2 * (138 + 10)));

    new CommandLine(options).parseArgs("--timeout=90s");
    assertThat(options.deadline()).isEqualTo(Duration.ofSeconds(90));
  }

  @Test
  void shouldLetGroupsTakeTurns() {
    FanInOptions options = new FanInOptions();
    new CommandLine(options)
        .parseArgs("--senders=1,2", "--runs=2", "--run-ms=7", "--warm-up=0s", "--json");
    List<String> turns = new ArrayList<>();
    StringWriter out = new StringWriter();

    new CrowdBench(
            options,
            (group, length) -> {
              turns.add(group + " for " + length.toMillis());
              return IntStream.rangeClosed(1, group).mapToDouble(each -> each).toArray();
            })
        .measure(new PrintWriter(out, true), new PrintWriter(new StringWriter()));

    assertThat(turns).containsExactly("1 for 7", "2 for 7", "1 for 7", "2 for 7");
    List<Config> rows = out.toString().lines().map(ConfigFactory::parseString).toList();
    assertThat(rows).extracting(row -> row.getInt("senders")).containsExactly(1, 2);
    assertThat(rows).extracting(row -> row.getDouble("ratio")).containsExactly(1.0, 3.0);
    assertThat(rows.get(1).getDouble("jain")).isEqualTo(0.9, within(1e-3));
    assertThat(rows.get(1).getString("wait")).isEqualTo("blocking");
  }
}
