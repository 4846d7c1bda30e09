package io.tagfabric.bench.measure;

import io.tagfabric.cluster.report.Comparison;
import io.tagfabric.cluster.report.Measurement;
import io.tagfabric.cluster.report.Report;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Repeats measurements: warms every subject up, then lets runs of all subjects take turns, so that
 * what the machine does beside falls on all of them alike. A row shows the run in the middle.
 *
 * @param trial one measurement
 * @param count runs of each subject
 */
public record Runs(Trial trial, int count) {
  /** Measures one subject, or a subject and a peer, and adds the row to a report. */
  public void measure(List<Subject> subjects, int bytes, Report report) {
    int[] iterationsOf = new int[subjects.size()];
    for (int i = 0; i < iterationsOf.length; i++) {
      iterationsOf[i] = trial.warmUp(subjects.get(i), bytes);
    }
    List<List<Measurement>> measured = new ArrayList<>();
    subjects.forEach(subject -> measured.add(new ArrayList<>()));
    for (int run = 0; run < count; run++) {
      for (int i = 0; i < iterationsOf.length; i++) {
        measured.get(i).add(trial.run(subjects.get(i), bytes, iterationsOf[i]));
      }
    }
    Measurement ours = middle(measured.get(0));
    if (subjects.size() == 1) {
      report.add(ours);
    } else {
      double[] values = values(measured.get(0));
      double[] theirs = values(measured.get(1));
      report.add(ours, Comparison.of(subjects.get(1).name(), trial.kind().unit(), values, theirs));
    }
  }

  private double[] values(List<Measurement> runs) {
    return runs.stream().mapToDouble(trial.kind()::value).toArray();
  }

  private Measurement middle(List<Measurement> runs) {
    List<Measurement> sorted = new ArrayList<>(runs);
    sorted.sort(Comparator.comparingDouble(trial.kind()::value));
    return sorted.get(sorted.size() / 2);
  }
}
