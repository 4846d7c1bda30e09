package io.tagfabric.bench;

import io.tagfabric.cluster.report.Comparison;
import io.tagfabric.cluster.report.Measurement;
import io.tagfabric.cluster.report.Report;
import io.tagfabric.cluster.report.WarmUp;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * Repeats measurements: warms every subject up, then lets runs of all subjects take turns, so that
 * what the machine does beside falls on all of them alike. A row shows the run in the middle.
 *
 * @param kind what is measured
 * @param window messages under way; of a rate
 * @param count runs of each subject
 * @param iterations of one run, 0 for as many as take half a second
 * @param progress who drives the domain, for the report
 */
record Runs(Kind kind, int window, int count, int iterations, String progress) {
  private static final long WARM_UP_MIN_NS = 500_000_000L;
  private static final long WARM_UP_MAX_NS = 6_000_000_000L;
  private static final long WARM_UP_ROUND_NS = 20_000_000L;

  /** On a busy machine the compilers lag behind the clock; calls are what they count. */
  private static final int WARM_UP_ITERATIONS = 100_000;

  private static final long RUN_NS = 500_000_000L;
  private static final long HIGHEST_SPAN_NS = 3_600_000_000_000L;
  private static final int DIGITS = 3;

  private static Histogram histogram() {
    return new Histogram(HIGHEST_SPAN_NS, DIGITS);
  }

  /** Measures one subject, or a subject and a peer, and adds the row to a report. */
  void measure(List<Subject> subjects, int bytes, Report report) {
    int[] iterationsOf = new int[subjects.size()];
    for (int i = 0; i < iterationsOf.length; i++) {
      iterationsOf[i] = warmUp(subjects.get(i), bytes);
    }
    List<List<Measurement>> measured = new ArrayList<>();
    subjects.forEach(subject -> measured.add(new ArrayList<>()));
    for (int run = 0; run < count; run++) {
      for (int i = 0; i < iterationsOf.length; i++) {
        measured.get(i).add(run(subjects.get(i), bytes, iterationsOf[i]));
      }
    }
    Measurement ours = middle(measured.get(0));
    if (subjects.size() == 1) {
      report.add(ours);
    } else {
      double[] values = values(measured.get(0));
      double[] theirs = values(measured.get(1));
      report.add(ours, Comparison.of(subjects.get(1).name(), kind.unit(), values, theirs));
    }
  }

  /** Warms a subject up and returns the iterations of its runs. */
  private int warmUp(Subject subject, int bytes) {
    Histogram ignored = histogram();
    int round = wholeWindows(1);
    long roundNs = subject.run(bytes, round, ignored);
    while (roundNs < WARM_UP_ROUND_NS && round < 1 << 20) {
      round *= 2;
      roundNs = subject.run(bytes, round, ignored);
    }
    WarmUp warmUp = new WarmUp(WARM_UP_MIN_NS, WARM_UP_MAX_NS);
    long done = 0;
    while (!warmUp.isOver() || (done < WARM_UP_ITERATIONS && !warmUp.isTooLong())) {
      warmUp.add(subject.run(bytes, round, ignored));
      done += round;
    }
    if (iterations > 0) {
      return wholeWindows(iterations);
    }
    double iterationNs = Math.max(1.0, (double) warmUp.bestNs() / round);
    return wholeWindows((int) Math.min(100_000_000, Math.max(10, RUN_NS / iterationNs)));
  }

  /** A rate is acknowledged by half windows; a part of one would never be. */
  private int wholeWindows(int wanted) {
    if (kind == Kind.LATENCY) {
      return wanted;
    }
    int half = Kind.half(window);
    return Math.max(1, (wanted + half - 1) / half) * half;
  }

  private Measurement run(Subject subject, int bytes, int iterationsOfRun) {
    Histogram spansNs = histogram();
    long elapsedNs = subject.run(bytes, iterationsOfRun, spansNs);
    double usPerSpanNs = 1e-3 / kind.transfersPerSpan(window);
    return new Measurement(
        bytes,
        iterationsOfRun,
        kind.transfersPerIteration(),
        elapsedNs,
        spansNs.getValueAtPercentile(50) * usPerSpanNs,
        spansNs.getValueAtPercentile(99) * usPerSpanNs,
        subject.provider(),
        progress);
  }

  private double[] values(List<Measurement> runs) {
    return runs.stream().mapToDouble(kind::value).toArray();
  }

  private Measurement middle(List<Measurement> runs) {
    List<Measurement> sorted = new ArrayList<>(runs);
    sorted.sort(Comparator.comparingDouble(kind::value));
    return sorted.get(sorted.size() / 2);
  }
}
