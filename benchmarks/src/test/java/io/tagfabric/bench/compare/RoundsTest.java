package io.tagfabric.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.bench.measure.Cell;
import io.tagfabric.bench.measure.Metric;
import io.tagfabric.bench.measure.StolenTime;
import io.tagfabric.bench.measure.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RoundsTest {
  private static final double FAILS = Double.NaN;
  private static final Cell LATENCY = new Cell(Metric.LATENCY, 8, 1);
  private static final Cell POSTED = new Cell(Metric.MATCHING_POSTED, 100, 0);

  private final List<String> log = new ArrayList<>();

  private Pretender one(String name, double... values) {
    return new Pretender(name, true, null, log, values);
  }

  private int[] stolenPctOfRuns = {};

  private static Group group(List<Contender> ours, List<Contender> peers) {
    return new Group(ours, peers, Group.Reach.ONE_HOST);
  }

  /** What the system counts after as many runs as are logged, each of 100 ticks. */
  private String ticks() {
    long stolen = IntStream.of(stolenPctOfRuns).limit(log.size()).sum();
    return "cpu  " + (100L * log.size() - stolen) + " 0 0 0 0 0 0 " + stolen;
  }

  /** 1, 2, 3 ... from core to core. */
  private static DoubleSupplier distances() {
    int[] asked = {0};
    return () -> ++asked[0];
  }

  private Rounds played(int count, Contender ours, Contender... peers) {
    Workload workload = new Workload(1, 2, 3, 4, List.of(LATENCY, POSTED));
    Rounds rounds =
        new Rounds(
            group(List.of(ours), List.of(peers)),
            workload,
            new StolenTime(this::ticks),
            distances(),
            run -> {});
    rounds.play(count);
    return rounds;
  }

  @Test
  void shouldLetEverybodyRunOnceARound() {
    played(2, one("us", 1, 1), one("a", 1, 1), one("b", 1, 1));

    assertThat(log).containsExactly("us", "a", "b", "us", "a", "b");
  }

  @Test
  void shouldCompareRunsOfTheSameRound() {
    Result result = played(3, one("us", 4, 10, 6), one("them", 8, 10, 2)).results().get(0);

    assertThat(result.runs()).isEqualTo(3);
    assertThat(result.comparison().orElseThrow().ratioMin()).isEqualTo(0.5);
    assertThat(result.comparison().orElseThrow().ratioMedian()).isEqualTo(1);
    assertThat(result.comparison().orElseThrow().ratioMax()).isEqualTo(3);
    assertThat(result.ourValue()).isEqualTo(6);
    assertThat(result.theirValue()).isEqualTo(8);
    assertThat(result.spans()).isEqualTo(new Result.Spans(4, 10, 2, 10));
    assertThat(result.reach()).isEqualTo(Group.Reach.ONE_HOST);
  }

  @Test
  void shouldTellHowFarTheCoresWereBesideTheRunsOfEach() {
    Result result = played(2, one("us", 1, 1), one("them", 1, 1)).results().get(0);

    assertThat(result.distances().ours()).isEqualTo(new CoreToCore.Spread(1, 5, 6));
    assertThat(result.distances().theirs()).isEqualTo(new CoreToCore.Spread(3, 7, 8));
  }

  @Test
  void shouldLeaveOutTheRoundInWhichOneFailed() {
    Result result = played(3, one("us", 4, 10, 6), one("them", 8, FAILS, 2)).results().get(0);

    assertThat(result.runs()).isEqualTo(2);
    assertThat(result.comparison().orElseThrow().ratioMax()).isEqualTo(3);
  }

  @Test
  void shouldRepeatOnceWhatTheHostDisturbedAndTakeTheCalmer() {
    stolenPctOfRuns = new int[] {6, 5, 0, 40, 30, 50, 60};

    Result result = played(2, one("us", 90, 4, 70, 6), one("them", 4, 2, 80)).results().get(0);

    assertThat(log).containsExactly("us", "us", "them", "us", "us", "them", "them");
    assertThat(result.ourValue()).isEqualTo(5);
    assertThat(result.theirValue()).isEqualTo(3);
    assertThat(result.stolenPct()).hasValue(50);
  }

  @Test
  void shouldRepeatWhatFailedWhileTheHostDisturbedIt() {
    stolenPctOfRuns = new int[] {0, 40, 50, 0, 60, 70, 0, 0};

    Rounds rounds = played(3, one("us", 1, 1, 1), one("them", FAILS, 2, FAILS, FAILS, 4));

    assertThat(log).containsExactly("us", "them", "them", "us", "them", "them", "us", "them");
    Result result = rounds.results().get(0);
    assertThat(result.runs()).isEqualTo(2);
    assertThat(result.theirValue()).isEqualTo(3);
    assertThat(result.stolenPct()).hasValue(50);
  }

  @Test
  void shouldAskNobodyAgainWhoFailsTwice() {
    Rounds rounds = played(4, one("us", 1, 1, 1, 1), one("them", FAILS, FAILS));

    assertThat(log).containsExactly("us", "them", "us", "them", "us", "us");
    Result result = rounds.results().get(0);
    assertThat(result.comparison()).isEmpty();
    assertThat(result.leftOutBecause()).isEqualTo("them: out of breath");
    assertThat(result.ourValue()).isEqualTo(1);
    assertThat(result.theirValue()).isNaN();
  }

  @Test
  void shouldCompareOnlyWhatBothMeasure() {
    Contender tagless = new Pretender("tagless", false, null, log, 2);

    List<Result> results = played(1, one("us", 1), tagless, one("tagged", 2)).results();

    assertThat(results)
        .extracting(result -> result.peer().name() + " " + result.cell())
        .containsExactly("tagless latency 8", "tagged latency 8", "tagged matching-posted 100");
  }

  @Test
  void shouldLetAContenderPlayOnlyWhereItMeetsAnother() {
    Contender us = one("us");
    Contender tagless = new Pretender("tagless", false, null, log);
    Workload workload = new Workload(1, 2, 3, 4, List.of(LATENCY, POSTED));

    Group group = group(List.of(us), List.of(tagless));

    assertThat(Rounds.workload(group, us, workload).cells()).containsExactly(LATENCY);
    assertThat(Rounds.workload(group, tagless, workload).cells()).containsExactly(LATENCY);
  }

  @Test
  void shouldLeaveOutWhoMeetsNobody() {
    Contender tagless = new Pretender("tagless", false, null, log, 1);
    Group group = group(List.of(tagless, one("us", 1)), List.of(one("them", 1)));
    Workload workload = new Workload(1, 2, 3, 4, List.of(POSTED));

    new Rounds(group, workload, StolenTime.ofMachine(), distances(), run -> {}).play(1);

    assertThat(log).containsExactly("us", "them");
  }

  @Test
  void shouldWarmUpLongerWhatIsCompiledAtRunTime() {
    Contender us = one("us");
    Contender compiled = one("native").compiledBefore();
    Workload workload = new Workload(10, 20, 3, 4, List.of(LATENCY));

    Group group = group(List.of(us), List.of(compiled));

    assertThat(Rounds.workload(group, compiled, workload)).isEqualTo(workload);
    assertThat(Rounds.workload(group, us, workload)).isEqualTo(workload.withWarmUps(3));
  }

  @Test
  void shouldNameTheMissingAndRunTheOthers() {
    Contender missing = new Pretender("gone", true, "gone is missing, install it", log);

    List<Result> results = played(1, one("us", 1), missing, one("them", 2)).results();

    assertThat(log).containsExactly("us", "them");
    assertThat(results.get(0).leftOutBecause()).isEqualTo("gone: gone is missing, install it");
    assertThat(results.get(2).comparison()).isPresent();
  }

  @Test
  void shouldNameWhoSaidNothingAboutACell() {
    Contender mute = new Pretender("mute", true, null, log, 2).silent();

    List<Result> results = played(1, one("us", 4), mute).results();

    assertThat(results.get(0).comparison()).isEmpty();
    assertThat(results.get(0).ourValue()).isEqualTo(4);
    assertThat(results.get(0).leftOutBecause())
        .isEqualTo("mute: it ended without a figure for latency 8");
    assertThat(played(0, one("us"), one("them")).results().get(0).leftOutBecause())
        .isEqualTo("us and them: no round was played");
  }

  @Test
  void shouldRunNobodyAlone() {
    Contender missing = new Pretender("us", true, "not built", log);

    List<Result> results = played(2, missing, one("them", 2)).results();

    assertThat(log).isEmpty();
    assertThat(results.get(0).leftOutBecause()).isEqualTo("us: not built");
  }
}
