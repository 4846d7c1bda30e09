package io.tagfabric.bench.collective;

import io.tagfabric.bench.measure.Budget;
import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.collective.Team;
import io.tagfabric.collective.algorithm.Algorithm;
import io.tagfabric.collective.algorithm.Algorithms;
import io.tagfabric.collective.algorithm.Collective;
import io.tagfabric.collective.algorithm.TwoLevel;
import io.tagfabric.collective.run.CollectiveSettings;
import io.tagfabric.job.Job;
import io.tagfabric.job.JobOptions;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.report.Sizes;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/** The program of the ranks that {@link TuneCommand} starts. */
public final class TuneRank {
  static final String CELL = "cell";

  private static final Budget BUDGET = Budget.ofMillis(60, 60, 0, 60);

  private final Job job;
  private final List<String> collectives;
  private final List<Integer> sizes;
  private final int passes;
  private int context;

  private TuneRank(Job job, String collectives, String sizes, String passes) {
    this.job = job;
    this.collectives = List.of(collectives.split(",", -1));
    this.sizes = Sizes.parse(sizes);
    this.passes = Integer.parseInt(passes);
  }

  /**
   * @param args collectives and numbers of bytes, each separated by commas, and how many times all
   *     is measured
   */
  public static void main(String[] args) {
    JobOptions options =
        JobOptions.defaults().withProgress(progress -> progress.withMode(ProgressMode.MANUAL));
    Job.run(options, args, job -> new TuneRank(job, args[0], args[1], args[2]).run());
  }

  /** Collectives of which there is a choice. */
  static List<Collective> choices() {
    return Arrays.stream(Collective.values()).filter(each -> onOneHost(each).size() > 1).toList();
  }

  /** Algorithms among which there is a choice. */
  static List<Algorithm> algorithms(List<String> collectives) {
    return choices().stream()
        .filter(each -> collectives.contains(each.key()))
        .flatMap(each -> onOneHost(each).stream())
        .toList();
  }

  /** In two levels, one host does what the algorithm between hosts does. */
  private static List<Algorithm> onOneHost(Collective collective) {
    return Algorithms.of(collective).stream().filter(each -> !(each instanceof TwoLevel)).toList();
  }

  private int run() {
    // The first algorithms of a new process are slow because all of its code is; by the next pass
    // that is compiled.
    for (int pass = 0; pass < passes; pass++) {
      algorithms(collectives).forEach(this::measure);
    }
    return ExitCode.OK;
  }

  private void measure(Algorithm algorithm) {
    CollectiveSettings settings =
        CollectiveSettings.of(job.fabric().settings())
            .forcing(algorithm.collective(), algorithm.key());
    try (Team team = Team.world(job, context++, settings)) {
      for (int bytes : sizes) {
        new RankCalls(team, algorithm.collective(), bytes, false)
            .play(BUDGET)
            .ifPresent(timesNs -> tell(algorithm, bytes, timesNs));
      }
    }
  }

  private static void tell(Algorithm algorithm, int bytes, Histogram timesNs) {
    System.out.printf(
        Locale.ROOT,
        "%s %s %s %d %.2f%n",
        CELL,
        algorithm.collective().key(),
        algorithm.key(),
        bytes,
        timesNs.getValueAtPercentile(50) / 1e3);
    System.out.flush();
  }
}
