package io.tagfabric.bench.collective;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.cluster.report.Sizes;
import io.tagfabric.collective.Team;
import io.tagfabric.collective.algorithm.Algorithm;
import io.tagfabric.collective.algorithm.Algorithms;
import io.tagfabric.collective.algorithm.Collective;
import io.tagfabric.collective.reduce.Elements;
import io.tagfabric.collective.run.CollectiveSettings;
import io.tagfabric.job.Job;
import io.tagfabric.job.JobOptions;
import io.tagfabric.progress.ProgressMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletionStage;

/** The program of the ranks that {@link TuneCommand} starts. */
public final class TuneRank {
  static final String CELL = "cell";

  private static final int PROBES = 10;
  private static final int MOST_CALLS = 20_000;
  private static final long MS = 1_000_000L;
  private static final long WARM_UP_NS = 60 * MS;
  private static final long RUN_NS = 60 * MS;

  private final Job job;
  private final List<String> collectives;
  private final List<Integer> sizes;
  private int context;

  private TuneRank(Job job, String collectives, String sizes) {
    this.job = job;
    this.collectives = List.of(collectives.split(",", -1));
    this.sizes = Sizes.parse(sizes);
  }

  /**
   * @param args collectives and numbers of bytes, each separated by commas
   */
  public static void main(String[] args) {
    JobOptions options =
        JobOptions.defaults().withProgress(progress -> progress.withMode(ProgressMode.MANUAL));
    Job.run(options, args, job -> new TuneRank(job, args[0], args[1]).run());
  }

  /** Algorithms among which there is a choice. */
  static List<Algorithm> algorithms(List<String> collectives) {
    return Arrays.stream(Collective.values())
        .filter(each -> collectives.contains(each.key()) && Algorithms.of(each).size() > 1)
        .flatMap(each -> Algorithms.of(each).stream())
        .toList();
  }

  private int run() {
    for (Algorithm algorithm : algorithms(collectives)) {
      measure(algorithm);
    }
    return ExitCode.OK;
  }

  private void measure(Algorithm algorithm) {
    List<EndpointAddress> members = new ArrayList<>();
    for (int rank = 0; rank < job.size(); rank++) {
      members.add(job.address(rank));
    }
    CollectiveSettings settings =
        CollectiveSettings.of(job.fabric().settings())
            .forcing(algorithm.collective(), algorithm.key());
    try (Team team = Team.open(job.domain(), job.endpoint(), members, context++, settings)) {
      for (int bytes : sizes) {
        Piece piece = new Piece(team, algorithm.collective(), bytes);
        int calls = fitting(team, piece, PROBES, WARM_UP_NS);
        calls = fitting(team, piece, calls, RUN_NS);
        double[] times = new double[calls];
        calls(team, piece, times);
        Arrays.sort(times);
        if (team.rank() == 0) {
          System.out.printf(
              Locale.ROOT,
              "%s %s %s %d %.2f%n",
              CELL,
              algorithm.collective().key(),
              algorithm.key(),
              bytes,
              times[calls / 2] / 1e3);
          System.out.flush();
        }
      }
      await(team.barrier());
    }
  }

  private static int fitting(Team team, Piece piece, int probes, long budgetNs) {
    long beginNs = System.nanoTime();
    calls(team, piece, new double[probes]);
    double eachNs = (double) Math.max(1, System.nanoTime() - beginNs) / probes;
    Elements calls = Elements.of((int) Math.max(PROBES, Math.min(MOST_CALLS, budgetNs / eachNs)));
    await(team.broadcast(calls, 0));
    return calls.ints()[0];
  }

  private static void calls(Team team, Piece piece, double[] timesNs) {
    for (int call = 0; call < timesNs.length; call++) {
      await(team.barrier());
      long beginNs = System.nanoTime();
      await(piece.call());
      timesNs[call] = System.nanoTime() - beginNs;
    }
    await(team.barrier());
  }

  private static <T> T await(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }
}
