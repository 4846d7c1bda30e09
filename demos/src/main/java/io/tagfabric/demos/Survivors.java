package io.tagfabric.demos;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.collective.Team;
import io.tagfabric.collective.reduce.Reduction;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.job.Job;
import io.tagfabric.job.JobOptions;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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
    Job.run(survivingLosses(), args, survivors::run);
  }

  private String complaint(int size) {
    if (rounds < 2) {
      return "--rounds must be at least 2";
    }
    return victim < -1 || victim >= size ? "--victim must be a rank, 0.." + (size - 1) : null;
  }

  /** By default a job ends soon after it has lost a rank; this one is about going on. */
  private static JobOptions survivingLosses() {
    JobOptions options = JobOptions.defaults();
    return options.withApplication(
        ConfigFactory.parseString("tagfabric.exit.on-loss = continue")
            .withFallback(options.application()));
  }

  private int run(Job job) {
    int dying = job.size() == 1 ? -1 : victim < 0 ? job.size() - 1 : victim;
    Team team = Team.world(job);
    boolean isBroken = false;
    int round = 0;
    while (round <= rounds) {
      if (job.rank() == dying && round == rounds / 2) {
        System.out.println("rank " + job.rank() + " dies in round " + round);
        System.out.flush();
        // As by kill -9 nothing is said to anybody, but the launcher does not take the job for
        // failed.
        Runtime.getRuntime().halt(ExitCode.OK);
      }
      try {
        if (isBroken) {
          team = team.shrink().toCompletableFuture().join();
          // A rank may have finished the round that another has not: all go on from the earliest.
          long[] earliest = {round};
          round = (int) team.allreduce(earliest, Reduction.MIN).toCompletableFuture().join()[0];
          isBroken = false;
        }
        if (round == rounds) {
          team.barrier().toCompletableFuture().join();
        } else {
          sum(job, team);
        }
        round++;
      } catch (CompletionException e) {
        if (!(e.getCause() instanceof FabricException failure)
            || failure.error() != FabricError.CONNECTION_RESET) {
          throw e;
        }
        System.out.println(
            "rank " + job.rank() + " in round " + round + ": " + failure.getMessage());
        isBroken = true;
      }
    }
    if (team.rank() == 0) {
      System.out.println(
          team.size() + " of " + job.size() + " ranks finished, sum=" + expected(job, team));
    }
    return 0;
  }

  private static void sum(Job job, Team team) {
    long[] own = {job.rank() + 1L};
    long sum = team.allreduce(own, Reduction.SUM).toCompletableFuture().join()[0];
    if (sum != expected(job, team)) {
      throw new IllegalStateException(
          "sum=" + sum + " of " + team.size() + " ranks is not " + expected(job, team));
    }
  }

  /** What the members of a team add, by the ranks that they have in the job. */
  private static long expected(Job job, Team team) {
    Set<EndpointAddress> members =
        IntStream.range(0, team.size()).mapToObj(team::address).collect(Collectors.toSet());
    return IntStream.range(0, job.size())
        .filter(rank -> members.contains(job.address(rank)))
        .mapToLong(rank -> rank + 1L)
        .sum();
  }
}
