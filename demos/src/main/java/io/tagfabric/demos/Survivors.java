package io.tagfabric.demos;

import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.collective.Team;
import io.tagfabric.collective.reduce.Reduction;
import io.tagfabric.error.FabricException;
import io.tagfabric.job.Job;
import java.util.concurrent.CompletionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Ranks sum in a loop; one of them dies in the middle. The others learn which, shrink the team,
 * agree on where to go on, and finish with the right sum of those that are left.
 *
 * <p>Run it: {@code tagfabric run -n 4 survivors}
 */
@Command(
    name = "survivors",
    description = "A rank dies in a loop of allreduces; the others shrink the team and finish.")
public final class Survivors extends HelpOption {
  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "1000",
      description = "Sums to make (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--victim",
      paramLabel = "RANK",
      defaultValue = "-1",
      description = "The rank that dies; -1 for the last one (default: ${DEFAULT-VALUE}).")
  private int victim;

  private Survivors() {}

  public static void main(String[] args) {
    Survivors survivors = new Survivors();
    Arguments.parse(survivors, args, survivors::complaint);
    Job.run(args, survivors::run);
  }

  private String complaint(int size) {
    if (rounds < 2) {
      return "--rounds must be at least 2";
    }
    return victim < -1 || victim >= size ? "--victim must be a rank, 0.." + (size - 1) : null;
  }

  private int run(Job job) {
    int dying = job.size() == 1 ? -1 : victim < 0 ? job.size() - 1 : victim;
    Team team = Team.world(job);
    int round = 0;
    long sum = 0;
    while (round < rounds) {
      if (job.rank() == dying && round == rounds / 2) {
        System.out.println("rank " + job.rank() + " dies in round " + round);
        System.out.flush();
        // As by kill -9 nothing is said to anybody, but the launcher does not take the job for
        // failed.
        Runtime.getRuntime().halt(ExitCode.OK);
      }
      try {
        long[] own = {job.rank() + 1L};
        sum = team.allreduce(own, Reduction.SUM).toCompletableFuture().join()[0];
        round++;
      } catch (CompletionException e) {
        if (!(e.getCause() instanceof FabricException failure)) {
          throw e;
        }
        System.out.println(
            "rank " + job.rank() + " in round " + round + ": " + failure.getMessage());
        team = team.shrink().toCompletableFuture().join();
        // A rank may have finished the round that another has not: all go on from the earliest.
        long[] earliest = {round};
        round = (int) team.allreduce(earliest, Reduction.MIN).toCompletableFuture().join()[0];
      }
    }
    return verdict(job, team, dying, sum);
  }

  private static int verdict(Job job, Team team, int dying, long sum) {
    long expected = job.size() * (job.size() + 1L) / 2 - (dying + 1);
    if (sum != expected || team.size() != job.size() - (dying < 0 ? 0 : 1)) {
      throw new IllegalStateException(
          "sum=" + sum + " of " + team.size() + " ranks is not " + expected);
    }
    team.barrier().toCompletableFuture().join();
    if (team.rank() == 0) {
      System.out.println(team.size() + " of " + job.size() + " ranks finished, sum=" + sum);
    }
    return 0;
  }
}
