package io.tagfabric.processes;

import io.tagfabric.collective.Team;
import io.tagfabric.collective.reduce.Elements;
import io.tagfabric.collective.reduce.Reduction;
import io.tagfabric.collective.run.CollectiveCall;
import io.tagfabric.collective.run.CollectiveCompletion;
import io.tagfabric.job.Job;
import java.util.Arrays;

/** A program whose ranks say how each collective was done, and end with 1 if a result is wrong. */
final class TeamTeller {
  private static final int[] COUNTS = {1, 50_000};

  private TeamTeller() {}

  public static void main(String[] args) {
    Job.run(
        args,
        job -> {
          Team team = Team.world(job);
          say(done(team, CollectiveCall.barrier()));
          for (int count : COUNTS) {
            check(team, count);
          }
          team.barrier().toCompletableFuture().join();
          return 0;
        });
  }

  private static void check(Team team, int count) {
    int root = team.size() - 1;
    long sum = (long) team.size() * (team.size() + 1) / 2;
    Elements data = given(team, count);
    say(done(team, CollectiveCall.broadcast(data, root)));
    require(data, team.size());
    data = given(team, count);
    say(done(team, CollectiveCall.reduce(data, data, Reduction.SUM, root)));
    require(data, team.rank() == root ? sum : team.rank() + 1L);
    data = given(team, count);
    say(done(team, CollectiveCall.allreduce(data, data, Reduction.SUM)));
    require(data, sum);
  }

  private static Elements given(Team team, int count) {
    long[] values = new long[count];
    Arrays.fill(values, team.rank() + 1L);
    return Elements.of(values);
  }

  private static CollectiveCompletion done(Team team, CollectiveCall call) {
    return team.start(call).toCompletableFuture().join();
  }

  private static void require(Elements data, long wanted) {
    for (long value : data.longs()) {
      if (value != wanted) {
        throw new IllegalStateException("value=" + value + " is not " + wanted);
      }
    }
  }

  private static void say(CollectiveCompletion how) {
    System.out.println(how.collective().key() + " " + how.algorithm() + " " + how.tier());
  }
}
