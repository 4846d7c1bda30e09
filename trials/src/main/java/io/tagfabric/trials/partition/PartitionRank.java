package io.tagfabric.trials.partition;

import io.tagfabric.collective.Team;
import io.tagfabric.collective.reduce.Reduction;
import io.tagfabric.error.FabricException;
import io.tagfabric.job.Job;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A rank of {@link Partition}: sums with all others ten times a second. When ranks are lost, a
 * majority shrinks the team and goes on for a while; a minority waits for its end, since it cannot
 * know whether the others go on without it.
 */
public final class PartitionRank {
  private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final int ROUNDS_AFTER_LOSS = 80;

  private final Job job;
  private Team team;

  private PartitionRank(Job job) {
    this.job = job;
    team = Team.world(job);
  }

  public static void main(String[] args) {
    Job.run(args, job -> new PartitionRank(job).run());
  }

  private int run() {
    say("has met the others");
    int left = Integer.MAX_VALUE;
    while (left > 0) {
      try {
        long[] own = {job.rank()};
        team.allreduce(own, Reduction.SUM).toCompletableFuture().join();
        left--;
        LockSupport.parkNanos(PAUSE_NS);
      } catch (CompletionException e) {
        if (!(e.getCause() instanceof FabricException)) {
          throw e;
        }
        shrink();
        left = ROUNDS_AFTER_LOSS;
      }
    }
    say("has finished with " + team.size() + " of " + job.size() + " ranks");
    return 0;
  }

  private void shrink() {
    team = team.shrink().toCompletableFuture().join();
    boolean majority = 2 * team.size() > job.size();
    say(
        "is left with "
            + team.size()
            + " of "
            + job.size()
            + " ranks: "
            + (majority ? "the majority goes on" : "the minority waits"));
    while (!majority) {
      LockSupport.park();
    }
  }

  private void say(String text) {
    System.out.println("rank " + job.rank() + " " + text);
  }
}
