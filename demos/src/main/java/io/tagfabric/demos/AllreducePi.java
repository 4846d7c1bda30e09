package io.tagfabric.demos;

import io.tagfabric.collective.Team;
import io.tagfabric.collective.reduce.Reduction;
import io.tagfabric.job.Job;
import java.util.Locale;
import java.util.SplittableRandom;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Pi by throwing darts: each rank counts how many of its darts hit a quarter circle, and one
 * allreduce a batch gives the count of all. Every rank sees the same number.
 *
 * <p>Run it: {@code tagfabric run -n 4 allreduce-pi}
 */
@Command(
    name = "allreduce-pi",
    description = "Ranks throw darts and sum their hits with allreduce until they know pi.")
public final class AllreducePi extends HelpOption {
  private static final long SEED = 314159;

  @Option(
      names = "--darts",
      paramLabel = "N",
      defaultValue = "2000000",
      description = "Darts of all ranks in one batch (default: ${DEFAULT-VALUE}).")
  private int darts;

  @Option(
      names = "--batches",
      paramLabel = "N",
      defaultValue = "5",
      description = "How often the ranks sum up (default: ${DEFAULT-VALUE}).")
  private int batches;

  private AllreducePi() {}

  public static void main(String[] args) {
    AllreducePi pi = new AllreducePi();
    Arguments.parse(
        pi,
        args,
        size -> pi.darts < 1 || pi.batches < 1 ? "--darts and --batches must be at least 1" : null);
    Job.run(args, pi::run);
  }

  private int run(Job job) {
    SplittableRandom random = new SplittableRandom(SEED + job.rank());
    long[] sums = new long[2];
    try (Team team = Team.world(job)) {
      for (int batch = 1; batch <= batches; batch++) {
        int own = darts / team.size() + (team.rank() < darts % team.size() ? 1 : 0);
        long[] hitsAndDarts = {hits(random, own), own};
        long[] all = team.allreduce(hitsAndDarts, Reduction.SUM).toCompletableFuture().join();
        sums[0] += all[0];
        sums[1] += all[1];
        if (team.rank() == 0) {
          System.out.println(
              String.format(Locale.ROOT, "%,12d darts  pi = %.6f", sums[1], estimate(sums)));
        }
      }
      team.barrier().toCompletableFuture().join();
    }
    return verdict(sums);
  }

  private static int hits(SplittableRandom random, int count) {
    int hits = 0;
    for (int i = 0; i < count; i++) {
      double x = random.nextDouble();
      double y = random.nextDouble();
      if (x * x + y * y < 1) {
        hits++;
      }
    }
    return hits;
  }

  private static double estimate(long[] hitsAndDarts) {
    return 4.0 * hitsAndDarts[0] / hitsAndDarts[1];
  }

  /** Six standard deviations are enough for any seed. */
  private static int verdict(long[] sums) {
    double allowed = 6 * Math.sqrt(Math.PI * (4 - Math.PI) / sums[1]);
    double error = Math.abs(estimate(sums) - Math.PI);
    if (error > allowed) {
      throw new IllegalStateException("error=" + error + " > " + allowed + " is not by chance");
    }
    return 0;
  }
}
