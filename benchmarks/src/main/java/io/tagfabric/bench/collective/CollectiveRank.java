package io.tagfabric.bench.collective;

import io.tagfabric.bench.measure.Budget;
import io.tagfabric.cluster.host.RecordOutput;
import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.collective.Team;
import io.tagfabric.collective.run.CollectiveSettings;
import io.tagfabric.job.Job;
import io.tagfabric.job.JobOptions;
import io.tagfabric.progress.ProgressMode;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import picocli.CommandLine;

/** The program of the ranks that {@link CollectiveCommand} starts. */
public final class CollectiveRank {
  /** Times and numbers of peers, too. */
  static final int WARM_UP_MS = 1_000;

  static final int BUDGET_MS = 700;
  static final int MOST_CALLS = 100_000;

  /**
   * Of several JVMs on few cores: a second may bring hundreds of calls, all of cold code, and the
   * compilers wait for a core behind four ranks. With 20,000 a first row read half as long again as
   * the same row measured once more.
   */
  private static final int WARM_UP_CALLS = 100_000;

  /**
   * The compilers of four ranks on two cores have most of their work done 12 to 15 s after the
   * start.
   */
  private static final int LONGEST_WARM_UP_MS = 20_000;

  private static final Budget BUDGET =
      Budget.ofMillis(WARM_UP_MS, LONGEST_WARM_UP_MS, WARM_UP_CALLS, BUDGET_MS);

  private final CollectiveOptions options = new CollectiveOptions();

  private CollectiveRank() {}

  /**
   * @param args options as {@link CollectiveOptions#arguments} writes them
   */
  public static void main(String[] args) {
    CollectiveRank program = new CollectiveRank();
    new CommandLine(program.options).parseArgs(args);
    JobOptions jobOptions =
        JobOptions.defaults().withProgress(progress -> progress.withMode(ProgressMode.MANUAL));
    Job.run(jobOptions, args, program::run);
  }

  private int run(Job job) {
    CollectiveSettings settings = options.settings(CollectiveSettings.of(job.fabric().settings()));
    CollectiveReport report =
        new CollectiveReport(
            options,
            new PrintWriter(
                RecordOutput.of(System.out, job.spec().launcherPid()),
                true,
                Charset.defaultCharset()));
    try (Team team = Team.world(job, 0, settings)) {
      for (int bytes : options.bytes()) {
        RankCalls calls = new RankCalls(team, options.collective(), bytes, options.isPrepared());
        calls.play(BUDGET).ifPresent(timesNs -> report.add(team.size(), bytes, calls, timesNs));
      }
    }
    return ExitCode.OK;
  }
}
