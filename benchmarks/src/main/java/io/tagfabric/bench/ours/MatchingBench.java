package io.tagfabric.bench.ours;

import io.tagfabric.bench.measure.Budget;
import io.tagfabric.bench.measure.Cell;
import io.tagfabric.bench.measure.MatchKind;
import io.tagfabric.bench.measure.MatchSubject;
import io.tagfabric.bench.measure.MatchTrial;
import io.tagfabric.bench.measure.Sample;
import io.tagfabric.bench.measure.Spending;
import io.tagfabric.bench.measure.Workload;
import io.tagfabric.bench.measure.WorkloadPlayer;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.report.Rows;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import picocli.CommandLine;

/** Measures matching at depths, in this JVM or between two ranks that it starts. */
public final class MatchingBench {
  /** What {@link RankMain} calls it. */
  static final String WORK = "matching";

  private static final Budget BUDGET = Budget.ofMillis(300, 300, 0, 100);
  private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(20);

  private final MatchingOptions options;

  public MatchingBench(MatchingOptions options) {
    this.options = options;
  }

  /** Runs the benchmark of a command and returns its exit code. */
  public int start(CommandLine command) {
    return options.start(command, WORK, () -> measureHere(command.getOut()));
  }

  private void measureHere(PrintWriter out) {
    try (LocalPair pair = new LocalPair(options, 1, options.deepest())) {
      measure(new LocalMatching(pair), out);
    }
  }

  /** Plays cells of matching within this JVM. */
  public static void playLocal(ProgressMode progress, Workload workload, Consumer<Sample> samples) {
    int deepest = workload.cells().stream().mapToInt(Cell::size).max().orElse(1);
    try (LocalPair pair = new LocalPair(progress, 1, deepest, domain -> Buffers.HEAP)) {
      LocalMatching subject = new LocalMatching(pair);
      new WorkloadPlayer(
              workload,
              (kind, window) -> new LocalSubject(pair, kind, 1, window),
              () -> Optional.of(subject))
          .play(samples);
    }
  }

  /** What rank 0 does. */
  void measure(RankPair pair, PrintWriter out) {
    measure(pair.matching(), out);
  }

  private void measure(MatchSubject subject, PrintWriter out) {
    Rows rows =
        new Rows(
            out,
            options.json,
            "%8s  %-12s  %12s  %12s  %12s",
            "depth",
            "kind",
            "ns_per_message=ns/message",
            "ns_min=min",
            "ns_max=max");
    for (MatchKind kind : options.kinds) {
      MatchTrial trial = new MatchTrial(subject, kind, BUDGET, LIMIT_NS);
      options.depths.forEach(depth -> measure(trial, subject, kind, depth, rows));
    }
  }

  private void measure(
      MatchTrial trial, MatchSubject subject, MatchKind kind, int depth, Rows rows) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("test", WORK);
    row.put("depth", depth);
    row.put("kind", kind.toString());
    Optional<String> tooLong = trial.tooLong(depth);
    if (tooLong.isPresent()) {
      row.put("left_out", tooLong.get());
      rows.add(row);
      return;
    }
    trial.warmUp(depth);
    double[] values = new double[options.runs()];
    Spending spending = new Spending();
    for (int run = 0; run < values.length; run++) {
      spending.begin();
      values[run] = trial.run(depth);
      spending.end((double) trial.operations());
    }
    Arrays.sort(values);
    row.put("ns_per_message", values[values.length / 2]);
    row.put("ns_min", values[0]);
    row.put("ns_max", values[values.length - 1]);
    row.putAll(spending.perMessage());
    row.put("runs", options.runs());
    row.put("provider", subject.provider());
    row.put("progress", EnumNames.of(options.progress));
    rows.add(row);
  }
}
