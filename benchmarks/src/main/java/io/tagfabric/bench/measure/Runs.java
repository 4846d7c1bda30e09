package io.tagfabric.bench.measure;

import io.tagfabric.report.Comparison;
import io.tagfabric.report.Measurement;
import io.tagfabric.report.Report;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Repeats measurements: warms every subject up, then lets runs of all subjects take turns, so that
 * what the machine does beside falls on all of them alike. A row shows the run in the middle, and
 * what this process spent on the first subject in all runs.
 *
 * <p>Turns during which the host gave processors to other guests are repeated, at most as many as
 * were wanted; if there are still too few, those count that lost least.
 *
 * @param trial one measurement
 * @param count runs of each subject
 * @param stolen what the host took
 */
public record Runs(Trial trial, int count, StolenTime stolen) {
  /** One run of each subject. */
  private record Turn(List<Measurement> measured, OptionalDouble stolenPct) {
    boolean isDisturbed() {
      return lost() > StolenTime.DISTURBING_PCT;
    }

    double lost() {
      return stolenPct.orElse(0);
    }
  }

  /** Measures one subject, or a subject and a peer, and adds the row to a report. */
  public void measure(List<Subject> subjects, int bytes, Report report) {
    int[] iterationsOf = new int[subjects.size()];
    for (int i = 0; i < iterationsOf.length; i++) {
      iterationsOf[i] = trial.warmUp(subjects.get(i), bytes);
    }
    Spending spending = new Spending();
    List<Turn> turns = turns(subjects, bytes, iterationsOf, spending);
    List<Measurement> ours = of(turns, 0);
    Optional<Comparison> comparison =
        subjects.size() == 1
            ? Optional.empty()
            : Optional.of(
                Comparison.of(
                    subjects.get(1).name(),
                    trial.kind().unit(),
                    values(ours),
                    values(of(turns, 1))));
    OptionalDouble stolenPct =
        turns.stream().map(Turn::stolenPct).flatMapToDouble(OptionalDouble::stream).max();
    report.add(middle(ours), comparison, stolenPct, spending.perMessage());
  }

  private List<Turn> turns(
      List<Subject> subjects, int bytes, int[] iterationsOf, Spending spending) {
    List<Turn> turns = new ArrayList<>();
    int undisturbed = 0;
    while (undisturbed < count && turns.size() < 2 * count) {
      Turn turn = turn(subjects, bytes, iterationsOf, spending);
      turns.add(turn);
      undisturbed += turn.isDisturbed() ? 0 : 1;
    }
    turns.sort(Comparator.comparingDouble(Turn::lost));
    return turns.subList(0, count);
  }

  private Turn turn(List<Subject> subjects, int bytes, int[] iterationsOf, Spending spending) {
    stolen.percentSinceLast(); // what was before does not count
    List<Measurement> measured = new ArrayList<>();
    spending.begin();
    measured.add(trial.run(subjects.get(0), bytes, iterationsOf[0]));
    spending.end((double) measured.get(0).transfers());
    for (int i = 1; i < iterationsOf.length; i++) {
      measured.add(trial.run(subjects.get(i), bytes, iterationsOf[i]));
    }
    return new Turn(measured, stolen.percentSinceLast());
  }

  private static List<Measurement> of(List<Turn> turns, int subject) {
    return turns.stream().map(turn -> turn.measured().get(subject)).toList();
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
