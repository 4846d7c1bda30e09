package io.tagfabric.bench.measure;

import io.tagfabric.report.Measurement;
import io.tagfabric.report.WarmUp;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;

/** Plays a workload with subjects of one peer and hands out a sample for each cell. */
public final class WorkloadPlayer {
  /** Makes the subject of a kind with a window. */
  public interface Subjects {
    /** A subject for messages. */
    Subject of(TransferKind kind, int window);
  }

  /** Why a peer whose own actors or callbacks play has no figure for both ways at once. */
  public static final String ONE_WAY_ONLY = "its program here sends one way at a time";

  private static final int DIGITS = 3;
  private static final int WAKES_OF_A_ROUND = 100;
  private static final int LEAST_WAKES = 50;

  /** Long enough for both to sleep; the way into sleep and out of it must be compiled too. */
  private static final long WARM_UP_GAP_NS = TimeUnit.MICROSECONDS.toNanos(150);

  private final Workload workload;
  private final Subjects subjects;
  private final Supplier<Optional<MatchSubject>> matching;
  private Supplier<Optional<WakeSubject>> waking = Optional::empty;
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

  /** The same with a subject for messages to one that sleeps. */
  public WorkloadPlayer waking(Supplier<WakeSubject> subject) {
    waking = () -> Optional.of(subject.get());
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
                        : Optional.empty())
            .waking(near::waking);
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
      if (cell.metric() == Metric.WAKE) {
        samples.accept(wake(cell, budget));
      } else {
        samples.accept(kind.isPresent() ? message(cell, kind.get(), budget) : match(cell, budget));
      }
    }
  }

  private Sample wake(Cell cell, Budget budget) {
    Optional<WakeSubject> subject = waking.get();
    if (subject.isEmpty()) {
      return Sample.leftOut(cell, "it does not sleep");
    }
    WarmUp warmUp = new WarmUp(budget.warmUpMinNs(), budget.warmUpMaxNs());
    do {
      long beginNs = System.nanoTime();
      subject.get().run(cell.size(), WAKES_OF_A_ROUND, WARM_UP_GAP_NS, new Histogram(DIGITS));
      warmUp.add(System.nanoTime() - beginNs);
    } while (!warmUp.isOver());
    long gapNs = TimeUnit.MICROSECONDS.toNanos(cell.window());
    Histogram spansNs = new Histogram(DIGITS);
    int count = (int) Math.max(LEAST_WAKES, budget.runNs() / gapNs);
    subject.get().run(cell.size(), count, gapNs, spansNs);
    double halfUs = 1e-3 / 2;
    return new Sample(
        cell.metric(),
        cell.size(),
        spansNs.getValueAtPercentile(50) * halfUs,
        spansNs.getValueAtPercentile(99) * halfUs,
        spansNs.getMean() * halfUs,
        "");
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
