package io.tagfabric.bench.measure;

import io.tagfabric.report.Measurement;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Plays a workload with subjects of one peer and hands out a sample for each cell. */
public final class WorkloadPlayer {
  /** Makes the subject of a kind with a window. */
  public interface Subjects {
    /** A subject for messages. */
    Subject of(TransferKind kind, int window);
  }

  /** Why a peer whose own actors or callbacks play has no figure for both ways at once. */
  public static final String ONE_WAY_ONLY = "its program here sends one way at a time";

  private final Workload workload;
  private final Subjects subjects;
  private final Supplier<Optional<MatchSubject>> matching;
  private int maxBytes = Integer.MAX_VALUE;
  private final Map<TransferKind, String> leftOut = new EnumMap<>(TransferKind.class);
  private final Map<Metric, MatchTrial> matchTrials = new EnumMap<>(Metric.class);

  /**
   * @param matching the subject for matching, empty if the peer has no tags
   */
  public WorkloadPlayer(
      Workload workload, Subjects subjects, Supplier<Optional<MatchSubject>> matching) {
    this.workload = workload;
    this.subjects = subjects;
    this.matching = matching;
  }

  /** The same, which leaves a kind out and says why. */
  public WorkloadPlayer without(TransferKind kind, String because) {
    leftOut.put(kind, because);
    return this;
  }

  /** Plays as one of two ends: rank 0 measures and prints its samples, rank 1 serves it. */
  public static void play(
      int rank, End end, String provider, List<String> words, Consumer<String> lines) {
    if (rank != 0) {
      new FarSide(end).serve();
      return;
    }
    NearSide near = new NearSide(end);
    WorkloadPlayer player =
        new WorkloadPlayer(
            Workload.parse(words),
            (kind, window) -> near.subject(provider, provider, kind, window),
            () ->
                end instanceof TaggedEnd
                    ? Optional.of(near.matching(provider, provider))
                    : Optional.empty());
    player.maxBytes = end.maxBytes();
    player.play(sample -> lines.accept(sample.toLine()));
    near.end();
  }

  /** Measures all cells in order. */
  public void play(Consumer<Sample> samples) {
    int place = 0;
    for (Cell cell : workload.cells()) {
      Optional<TransferKind> kind = cell.metric().kind();
      Budget budget = workload.budget(place++);
      samples.accept(kind.isPresent() ? message(cell, kind.get(), budget) : match(cell, budget));
    }
  }

  private Sample message(Cell cell, TransferKind kind, Budget budget) {
    if (leftOut.containsKey(kind)) {
      return Sample.leftOut(cell, leftOut.get(kind));
    }
    if (cell.size() > maxBytes) {
      return Sample.leftOut(cell, "bytes=" + cell.size() + " > " + maxBytes + " of a message");
    }
    Subject subject = subjects.of(kind, cell.window());
    Trial trial = new Trial(kind, cell.window(), budget, 0, "");
    int iterations = trial.warmUp(subject, cell.size());
    Measurement measured = trial.run(subject, cell.size(), iterations);
    if (kind == TransferKind.LATENCY) {
      return new Sample(
          cell.metric(), cell.size(), measured.p50Us(), measured.p99Us(), kind.value(measured), "");
    }
    return new Sample(cell.metric(), cell.size(), kind.value(measured), measured.p99Us(), "");
  }

  private Sample match(Cell cell, Budget budget) {
    Optional<MatchSubject> subject = matching.get();
    if (subject.isEmpty()) {
      return Sample.leftOut(cell, "it does not match by tags");
    }
    MatchTrial trial =
        matchTrials.computeIfAbsent(
            cell.metric(),
            metric ->
                new MatchTrial(
                    subject.get(),
                    metric.matchKind(),
                    budget,
                    TimeUnit.MILLISECONDS.toNanos(workload.limitMs())));
    Optional<String> tooLong = trial.tooLong(cell.size());
    if (tooLong.isPresent()) {
      return Sample.leftOut(cell, tooLong.get());
    }
    trial.warmUp(cell.size());
    return new Sample(cell.metric(), cell.size(), trial.run(cell.size()), 0, "");
  }
}
