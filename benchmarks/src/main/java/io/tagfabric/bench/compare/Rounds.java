package io.tagfabric.bench.compare;

import io.tagfabric.bench.compare.CoreToCore.Spread;
import io.tagfabric.bench.measure.Cell;
import io.tagfabric.bench.measure.Sample;
import io.tagfabric.bench.measure.StolenTime;
import io.tagfabric.bench.measure.Workload;
import io.tagfabric.report.Comparison;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.DoubleSupplier;
import java.util.function.ToDoubleFunction;

/**
 * Rounds of one group. In each, everybody runs once, one after the other, so that what the machine
 * does beside falls on all alike; only runs of the same round are compared.
 */
final class Rounds {
  /** A contender that fails so often in a row is not asked again. */
  private static final int MOST_FAILURES = 2;

  /** How much longer the warm-up of what is compiled at run time may be: compilers want a core. */
  private static final int COMPILING_FACTOR = 3;

  /** What one contender has found out. */
  private static final class Notes {
    /** By round; null where it has not played. */
    final List<List<Sample>> rounds = new ArrayList<>();

    /** By round: hundredths of the processors' time that the host gave away meanwhile. */
    final List<OptionalDouble> stolenPct = new ArrayList<>();

    /** Nanoseconds from core to core, before and after each run. */
    final List<Double> distancesNs = new ArrayList<>();

    String trouble = "";
    int failuresInARow;

    /** The samples of a round; null if it has not played. */
    List<Sample> samples(int round) {
      return round < rounds.size() ? rounds.get(round) : null;
    }
  }

  /**
   * A run that is over.
   *
   * @param round of it, from 0
   * @param seconds it took
   * @param stolenPct hundredths of the processors' time that the host gave away meanwhile
   * @param beforeNs from core to core before it
   * @param afterNs from core to core after it
   * @param trouble why it failed, empty if it did not
   */
  record Run(
      Contender contender,
      int round,
      double seconds,
      OptionalDouble stolenPct,
      double beforeNs,
      double afterNs,
      String trouble) {}

  /** Is told how it goes. */
  interface Listener {
    /** A run is over. */
    void onRun(Run run);
  }

  private final Group group;
  private final Workload workload;
  private final Listener listener;
  private final StolenTime stolen;
  private final DoubleSupplier distance;
  private final Map<Contender, Notes> records = new LinkedHashMap<>();

  /**
   * Rounds to be played.
   *
   * @param distance nanoseconds from core to core now
   */
  Rounds(
      Group group,
      Workload workload,
      StolenTime stolen,
      DoubleSupplier distance,
      Listener listener) {
    this.stolen = stolen;
    this.distance = distance;
    this.group = group;
    this.workload = group.fitted(workload);
    this.listener = listener;
    group.ours().forEach(this::enter);
    group.peers().forEach(this::enter);
  }

  private void enter(Contender contender) {
    Notes record = new Notes();
    contender.missingBecause().ifPresent(because -> record.trouble = because);
    records.put(contender, record);
  }

  /** Contenders that will run: those that have a cell in common with another. */
  static List<Contender> runners(Group group, Workload all) {
    List<Contender> ours = present(group.ours());
    List<Contender> peers = present(group.peers());
    if (ours.isEmpty() || peers.isEmpty()) {
      return List.of();
    }
    List<Contender> runners = new ArrayList<>(ours);
    runners.addAll(peers);
    runners.removeIf(runner -> workload(group, runner, all).cells().isEmpty());
    return runners;
  }

  private static List<Contender> present(List<Contender> contenders) {
    return contenders.stream().filter(each -> each.missingBecause().isEmpty()).toList();
  }

  /** What a contender plays: the cells at which it meets another, and what warms it up. */
  static Workload workload(Group group, Contender contender, Workload all) {
    List<Contender> others =
        present(group.ours().contains(contender) ? group.peers() : group.ours());
    List<Cell> cells =
        all.cells().stream()
            .filter(contender::measures)
            .filter(cell -> others.stream().anyMatch(other -> other.measures(cell)))
            .toList();
    Workload own = all.withCells(cells);
    return contender.compilesAtRunTime() ? own.withWarmUps(COMPILING_FACTOR) : own;
  }

  /** Plays so many rounds. */
  void play(int count) {
    List<Contender> runners = runners(group, workload);
    for (int round = 0; round < count; round++) {
      for (Contender contender : runners) {
        play(contender, round);
      }
    }
  }

  private void play(Contender contender, int round) {
    Notes record = records.get(contender);
    record.rounds.add(null);
    record.stolenPct.add(OptionalDouble.empty());
    if (record.failuresInARow >= MOST_FAILURES) {
      return;
    }
    attempt(contender, round, record);
    if (record.stolenPct.get(round).orElse(0) > StolenTime.DISTURBING_PCT) {
      attempt(contender, round, record);
    }
    record.failuresInARow = record.samples(round) == null ? record.failuresInARow + 1 : 0;
  }

  /** One run; it counts unless it failed or there is one that the host disturbed less. */
  private void attempt(Contender contender, int round, Notes record) {
    String trouble = "";
    double beforeNs = distance.getAsDouble();
    long beginNs = System.nanoTime();
    stolen.percentSinceLast(); // what was before does not count
    List<Sample> samples = null;
    try {
      samples = contender.run(workload(group, contender, workload));
    } catch (ContenderException failure) {
      trouble = failure.getMessage();
    }
    OptionalDouble stolenPct = stolen.percentSinceLast();
    double seconds = (System.nanoTime() - beginNs) / 1e9;
    double afterNs = distance.getAsDouble();
    record.distancesNs.add(beforeNs);
    record.distancesNs.add(afterNs);
    boolean first = record.samples(round) == null;
    if (first && samples == null) {
      record.trouble = trouble;
      record.stolenPct.set(round, stolenPct);
    } else if (first
        || (samples != null && stolenPct.orElse(0) < record.stolenPct.get(round).orElse(0))) {
      record.rounds.set(round, samples);
      record.stolenPct.set(round, stolenPct);
    }
    listener.onRun(new Run(contender, round, seconds, stolenPct, beforeNs, afterNs, trouble));
  }

  /** Everyone of ours beside every peer at every cell that both have. */
  List<Result> results() {
    List<Result> results = new ArrayList<>();
    for (Contender ours : group.ours()) {
      for (Contender peer : group.peers()) {
        for (Cell cell : workload.cells()) {
          if (ours.measures(cell) && peer.measures(cell)) {
            results.add(result(ours, peer, cell));
          }
        }
      }
    }
    return results;
  }

  private Result result(Contender ours, Contender peer, Cell cell) {
    Notes ourRecord = records.get(ours);
    Notes theirRecord = records.get(peer);
    List<double[]> pairs = new ArrayList<>();
    List<OptionalDouble> lost = new ArrayList<>();
    String because = "";
    for (int round = 0; round < ourRecord.rounds.size(); round++) {
      Optional<Sample> our = sample(ourRecord.samples(round), cell);
      Optional<Sample> their = sample(theirRecord.samples(round), cell);
      if (our.filter(Sample::isMeasured).isPresent()
          && their.filter(Sample::isMeasured).isPresent()) {
        pairs.add(new double[] {our.get().value(), their.get().value()});
        lost.add(ourRecord.stolenPct.get(round));
        lost.add(theirRecord.stolenPct.get(round));
      } else {
        because = because(ours, our).or(() -> because(peer, their)).orElse(because);
      }
    }
    if (!pairs.isEmpty()) {
      double[] our = pairs.stream().mapToDouble(pair -> pair[0]).toArray();
      double[] their = pairs.stream().mapToDouble(pair -> pair[1]).toArray();
      Comparison comparison = Comparison.of(peer.name(), cell.metric().unit(), our, their);
      return new Result(
          group.reach(),
          cell,
          ours,
          peer,
          comparison.ours(),
          comparison.theirs(),
          Optional.of(comparison),
          pairs.size(),
          lost.stream().flatMapToDouble(OptionalDouble::stream).max(),
          Result.Spans.of(our, their),
          new Result.Tails(
              orZero(median(ourRecord, cell, Sample::meanUs)),
              orZero(median(ourRecord, cell, Sample::p99Us)),
              orZero(median(theirRecord, cell, Sample::meanUs)),
              orZero(median(theirRecord, cell, Sample::p99Us))),
          distances(ourRecord, theirRecord),
          "");
    }
    if (because.isEmpty()) {
      because =
          trouble(ours, ourRecord)
              .or(() -> trouble(peer, theirRecord))
              .orElseGet(() -> silent(ours, ourRecord, peer, cell));
    }
    return new Result(
        group.reach(),
        cell,
        ours,
        peer,
        median(ourRecord, cell, Sample::value),
        median(theirRecord, cell, Sample::value),
        Optional.empty(),
        0,
        OptionalDouble.empty(),
        Result.Spans.NONE,
        Result.Tails.NONE,
        distances(ourRecord, theirRecord),
        because);
  }

  private static Result.Distances distances(Notes ours, Notes theirs) {
    return new Result.Distances(Spread.of(ours.distancesNs), Spread.of(theirs.distancesNs));
  }

  /** Nobody failed, so one of the two has not said a word about the cell. */
  private static String silent(Contender ours, Notes ourRecord, Contender peer, Cell cell) {
    if (ourRecord.rounds.stream().allMatch(Objects::isNull)) {
      return ours.name() + " and " + peer.name() + ": no round was played";
    }
    Contender mute = Double.isNaN(median(ourRecord, cell, Sample::value)) ? ours : peer;
    return mute.name() + ": it ended without a figure for " + cell;
  }

  private static double orZero(double value) {
    return Double.isNaN(value) ? 0 : value;
  }

  private static double median(Notes record, Cell cell, ToDoubleFunction<Sample> figure) {
    double[] values =
        record.rounds.stream()
            .map(samples -> sample(samples, cell))
            .flatMap(Optional::stream)
            .filter(Sample::isMeasured)
            .mapToDouble(figure)
            .sorted()
            .toArray();
    return values.length == 0 ? Double.NaN : values[values.length / 2];
  }

  private static Optional<Sample> sample(List<Sample> samples, Cell cell) {
    return samples == null
        ? Optional.empty()
        : samples.stream().filter(sample -> sample.isOf(cell)).findFirst();
  }

  private static Optional<String> because(Contender contender, Optional<Sample> sample) {
    return sample
        .filter(there -> !there.isMeasured())
        .map(there -> contender.name() + ": " + there.leftOutBecause());
  }

  private static Optional<String> trouble(Contender contender, Notes record) {
    return record.trouble.isEmpty()
        ? Optional.empty()
        : Optional.of(contender.name() + ": " + record.trouble);
  }
}
