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
  private static final int WARM_UP = 200;
  private static final int PROBES = 20;
  private static final long BUDGET_NS = 700_000_000L;
  private static final int MOST_CALLS = 5_000;

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
        calls(team, piece, WARM_UP, new Histogram(3));
        Histogram timesNs = new Histogram(3);
        calls(team, piece, PROBES, timesNs);
        int calls = agreedCalls(team, timesNs);
        timesNs.reset();
        CollectiveCompletion how = calls(team, piece, calls, timesNs);
        if (team.rank() == 0) {
          report.add(team.size(), bytes, how, timesNs);
        }
      }
    }
    return ExitCode.OK;
  }

  /** How many calls rank 0 thinks fit into the time there is. */
  private static int agreedCalls(Team team, Histogram probesNs) {
    double meanNs = Math.max(1, probesNs.getMean());
    int fitting = (int) Math.max(PROBES, Math.min(MOST_CALLS, BUDGET_NS / meanNs));
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
