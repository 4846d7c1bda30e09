package io.tagfabric.trials.survive;

import io.tagfabric.collective.Team;
import io.tagfabric.collective.reduce.Elements;
import io.tagfabric.collective.reduce.Reduction;
import io.tagfabric.error.FabricException;
import io.tagfabric.job.Job;
import io.tagfabric.job.JobOptions;
import java.util.Arrays;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * The program of the ranks that {@link SurviveCommand} starts: makes one kind of call and sums in a
 * loop, vectors short and long, and checks what it gets. When a rank is lost it says which it was
 * told, goes on in the shrunk team for a while, and says what it has ended with.
 */
public final class SurviveRank {
  static final String READY = "ready";
  static final String TOLD = "told: ";
  static final String FINISHED = "finished: ";

  /** What a round sums: one value more says which ranks want to end. */
  private static final int[] COUNTS = {1, 1, 1, 3, 200, 5_000, 1, 40_000};

  /** Calls between two sums: most kills come in one of these. */
  private static final int CALLS = 4;

  private static final long AFTERWARDS_NS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);

  /** The last resort, as by default: it learns of a rank that was killed before its first dial. */
  private static final String REMOTING = "artery";

  private final Job job;
  private final SurviveCall call;
  private Team team;
  private int[] members;
  private long endNs;
  private long round;

  private SurviveRank(Job job, SurviveCall call) {
    this.job = job;
    this.call = call;
    team = Team.world(job);
    members = IntStream.range(0, job.size()).toArray();
  }

  /** Runs as a rank, with a call and a provider. */
  public static void main(String[] args) {
    Job.run(
        JobOptions.defaults().withProviders(args[1], REMOTING),
        args,
        job -> new SurviveRank(job, SurviveCall.of(args[0])).run());
  }

  private int run() {
    join(team.barrier());
    say(READY + " " + ProcessHandle.current().pid());
    endNs = System.nanoTime() + PATIENCE_NS;
    boolean goesOn = true;
    while (goesOn) {
      try {
        Team smaller = calls();
        if (smaller == null) {
          goesOn = sum(COUNTS[(int) (round % COUNTS.length)]);
          round++;
        } else {
          tell(failureOf(team));
          goOnIn(smaller);
        }
      } catch (CompletionException e) {
        tell(cause(e));
        goOnIn(withoutTheLost());
      }
    }
    join(team.barrier());
    say(FINISHED + "members=" + Arrays.toString(members) + " sum=" + wanted());
    return 0;
  }

  /**
   * Makes the calls of a round before its sum.
   *
   * @return null, or the team of the others if the round's agreements have found a loss
   */
  private Team calls() {
    int count = COUNTS[(int) (round % COUNTS.length)];
    SurviveCalls calls = new SurviveCalls(team, members, (int) (round % team.size()), count);
    for (int i = 0; i < CALLS; i++) {
      if (call == SurviveCall.AGREE) {
        if (calls.agreesOnLoss()) {
          return join(team.shrink());
        }
      } else if (call == SurviveCall.SHRINK) {
        Team smaller = calls.shrunk();
        if (smaller != null) {
          return smaller;
        }
      } else {
        calls.make(call);
      }
    }
    return null;
  }

  /** True if rank 0 of the team wants another round. */
  private boolean sum(int count) {
    long[] values = new long[count + 1];
    Arrays.fill(values, 0, count, 1L << job.rank());
    values[count] = team.rank() == 0 && System.nanoTime() - endNs > 0 ? 1 : 0;
    Elements sums = Elements.of(values);
    join(team.allreduce(sums, Reduction.SUM));
    long[] got = sums.longs();
    for (int i = 0; i < count; i++) {
      if (got[i] != wanted()) {
        throw new IllegalStateException(
            "sum=" + got[i] + " at " + i + " of round " + round + " is not " + wanted());
      }
    }
    return got[count] == 0;
  }

  private long wanted() {
    return Arrays.stream(members).mapToLong(rank -> 1L << rank).sum();
  }

  /**
   * What this rank does when it was told. The others make the same agreements: a rank that was told
   * by a call may be one agreement behind those that went on, and makes it with them.
   */
  private Team withoutTheLost() {
    if (call == SurviveCall.AGREE && !new SurviveCalls(team, members, 0, 1).agreesOnLoss()) {
      throw new IllegalStateException("the others do not know who is lost");
    }
    return join(team.shrink());
  }

  private void goOnIn(Team smaller) {
    Team before = team;
    team = smaller;
    int[] old = members;
    members = IntStream.range(0, team.size()).map(i -> old[before.translate(team, i)]).toArray();
    // A rank may have finished the round that another has not: all go on from the earliest.
    round = join(team.allreduce(new long[] {round}, Reduction.MIN))[0];
    endNs = System.nanoTime() + AFTERWARDS_NS;
  }

  /** What a call of a broken team fails with. */
  private static FabricException failureOf(Team broken) {
    try {
      join(broken.barrier());
    } catch (CompletionException e) {
      return cause(e);
    }
    throw new IllegalStateException("a team that has lost a member works");
  }

  private static FabricException cause(CompletionException e) {
    if (e.getCause() instanceof FabricException failure) {
      return failure;
    }
    throw e;
  }

  private static <T> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  private static void tell(FabricException failure) {
    say(TOLD + failure.error() + " " + failure.getMessage());
  }

  private static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
