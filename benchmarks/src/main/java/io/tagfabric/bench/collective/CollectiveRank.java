package io.tagfabric.bench.collective;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.cluster.launch.RecordOutput;
import io.tagfabric.collective.Team;
import io.tagfabric.collective.reduce.Elements;
import io.tagfabric.collective.run.CollectiveCompletion;
import io.tagfabric.collective.run.CollectiveSettings;
import io.tagfabric.job.Job;
import io.tagfabric.job.JobOptions;
import io.tagfabric.progress.ProgressMode;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.HdrHistogram.Histogram;
import picocli.CommandLine;

/** The program of the ranks that {@link CollectiveCommand} starts. */
public final class CollectiveRank {
  /** Times and numbers of peers, too. */
  static final int WARM_UP_MS = 1_000;

  static final int BUDGET_MS = 700;
  static final int MOST_CALLS = 100_000;

  /** Warm-up goes on until so many rounds bring nothing more. */
  private static final int VAIN_ROUNDS = 3;

  private static final int MOST_ROUNDS = 20;
  private static final int ROUND_MS = 400;
  private static final double GAIN = 0.95;
  private static final int PROBES = 20;
  private static final long MS = 1_000_000L;

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
    List<EndpointAddress> members = new ArrayList<>();
    for (int rank = 0; rank < job.size(); rank++) {
      members.add(job.address(rank));
    }
    CollectiveSettings settings = options.settings(CollectiveSettings.of(job.fabric().settings()));
    CollectiveReport report =
        new CollectiveReport(
            options,
            new PrintWriter(
                RecordOutput.of(System.out, job.spec().launcherPid()),
                true,
                Charset.defaultCharset()));
    try (Team team = Team.open(job.domain(), job.endpoint(), members, 0, settings)) {
      for (int bytes : options.bytes()) {
        Piece piece = new Piece(team, options.collective(), bytes);
        Histogram timesNs = new Histogram(3);
        warmUp(team, piece);
        int calls = fitting(team, piece, 10 * PROBES, BUDGET_MS * MS);
        timesNs.reset();
        CollectiveCompletion how = calls(team, piece, calls, timesNs);
        if (team.rank() == 0) {
          report.add(team.size(), bytes, how, timesNs);
        }
      }
    }
    return ExitCode.OK;
  }

  /** Rounds of calls until rank 0 finds that they get no faster. */
  private static void warmUp(Team team, Piece piece) {
    double bestNs = Double.MAX_VALUE;
    int vain = 0;
    int calls = PROBES;
    long goesOn = 1;
    for (int round = 0; round < MOST_ROUNDS && goesOn != 0; round++) {
      calls = fitting(team, piece, calls, ROUND_MS * MS);
      Histogram timesNs = new Histogram(3);
      calls(team, piece, calls, timesNs);
      double medianNs = timesNs.getValueAtPercentile(50);
      vain = medianNs < GAIN * bestNs ? 0 : vain + 1;
      bestNs = Math.min(bestNs, medianNs);
      Elements decision = Elements.of(vain < VAIN_ROUNDS ? 1L : 0L);
      await(team.broadcast(decision, 0));
      goesOn = decision.longs()[0];
      calls = Math.min(calls, 10 * PROBES);
    }
  }

  /** How many calls, and the barriers between, rank 0 thinks fit into a time, after some more. */
  private static int fitting(Team team, Piece piece, int probes, long budgetNs) {
    long beginNs = System.nanoTime();
    calls(team, piece, probes, new Histogram(1));
    double eachNs = (double) Math.max(1, System.nanoTime() - beginNs) / probes;
    int fitting = (int) Math.max(PROBES, Math.min(MOST_CALLS, budgetNs / eachNs));
    Elements calls = Elements.of(fitting);
    await(team.broadcast(calls, 0));
    return calls.ints()[0];
  }

  private static CollectiveCompletion calls(Team team, Piece piece, int calls, Histogram timesNs) {
    CollectiveCompletion last = null;
    for (int call = 0; call < calls; call++) {
      await(team.barrier());
      long beginNs = System.nanoTime();
      last = await(piece.call());
      timesNs.recordValue(System.nanoTime() - beginNs);
    }
    await(team.barrier());
    return last;
  }

  private static <T> T await(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }
}
