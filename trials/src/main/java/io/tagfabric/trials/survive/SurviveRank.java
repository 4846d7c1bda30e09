package io.tagfabric.trials.survive;

import io.tagfabric.collective.Team;
import io.tagfabric.collective.reduce.Elements;
import io.tagfabric.collective.reduce.Reduction;
import io.tagfabric.collective.schedule.Blocks;
import io.tagfabric.error.FabricException;
import io.tagfabric.job.Job;
import java.util.Arrays;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * The program of the ranks that {@link SurviveCommand} starts: scatters or gathers and sums in a
 * loop, vectors short and long, and checks what it gets. When a rank is lost it says which it was
 * told, goes on in the shrunk team for a while, and says what it has ended with.
 */
public final class SurviveRank {
  static final String READY = "ready";
  static final String TOLD = "told: ";
  static final String FINISHED = "finished: ";

  /** What a round sums: one value more says which ranks want to end. */
  private static final int[] COUNTS = {1, 1, 1, 3, 200, 5_000, 1, 40_000};

  private static final long AFTERWARDS_NS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);

  private final Job job;
  private Team team;
  private int[] members;
  private long endNs;
  private long round;

  private SurviveRank(Job job) {
    this.job = job;
    team = Team.world(job);
    members = IntStream.range(0, job.size()).toArray();
    endNs = System.nanoTime() + PATIENCE_NS;
  }

  /** Runs as a rank. */
  public static void main(String[] args) {
    Job.run(args, job -> new SurviveRank(job).run());
  }

  private int run() {
    team.barrier().toCompletableFuture().join();
    say(READY + " " + ProcessHandle.current().pid());
    boolean goesOn = true;
    while (goesOn) {
      try {
        goesOn = sum(COUNTS[(int) (round % COUNTS.length)]);
        round++;
      } catch (CompletionException e) {
        if (!(e.getCause() instanceof FabricException failure)) {
          throw e;
        }
        say(TOLD + failure.error() + " " + failure.getMessage());
        shrink();
        endNs = System.nanoTime() + AFTERWARDS_NS;
      }
    }
    team.barrier().toCompletableFuture().join();
    say(FINISHED + "members=" + Arrays.toString(members) + " sum=" + wanted());
    return 0;
  }

  /** True if rank 0 of the team wants another round. */
  private boolean sum(int count) {
    exchange(count);
    long[] values = new long[count + 1];
    Arrays.fill(values, 0, count, own());
    values[count] = team.rank() == 0 && System.nanoTime() - endNs > 0 ? 1 : 0;
    Elements sums = Elements.of(values);
    team.allreduce(sums, Reduction.SUM).toCompletableFuture().join();
    long[] got = sums.longs();
    for (int i = 0; i < count; i++) {
      if (got[i] != wanted()) {
        throw new IllegalStateException(
            "sum=" + got[i] + " at " + i + " of round " + round + " is not " + wanted());
      }
    }
    return got[count] == 0;
  }

  /** What else may be under way when a rank dies; the root goes round. */
  private void exchange(int count) {
    int size = team.size();
    int root = (int) (round % size);
    boolean isRoot = team.rank() == root;
    if (round / COUNTS.length % 2 == 0) {
      long[] blocks = new long[isRoot ? count * size : 0];
      for (int i = 0; i < blocks.length; i++) {
        blocks[i] = 1L << members[i / count];
      }
      Elements part = Elements.of(new long[count]);
      team.scatter(Elements.of(blocks), part, root).toCompletableFuture().join();
      require(part.longs(), own());
      return;
    }
    int[] counts = new int[size];
    Arrays.setAll(counts, rank -> rank % 3 * count);
    long[] mine = new long[counts[team.rank()]];
    Arrays.fill(mine, own());
    Blocks outputs = Blocks.packed(counts);
    Elements whole = Elements.of(new long[isRoot ? outputs.extent() : 0]);
    team.gatherv(Elements.of(mine), whole, outputs, root).toCompletableFuture().join();
    for (int rank = 0; rank < size && isRoot; rank++) {
      int from = outputs.offset(rank);
      require(Arrays.copyOfRange(whole.longs(), from, from + counts[rank]), 1L << members[rank]);
    }
  }

  private void require(long[] got, long wanted) {
    for (long each : got) {
      if (each != wanted) {
        throw new IllegalStateException(
            "element=" + each + " of round " + round + " is not " + wanted);
      }
    }
  }

  private long own() {
    return 1L << job.rank();
  }

  private long wanted() {
    return Arrays.stream(members).mapToLong(rank -> 1L << rank).sum();
  }

  private void shrink() {
    Team before = team;
    team = before.shrink().toCompletableFuture().join();
    int[] old = members;
    members = IntStream.range(0, team.size()).map(i -> old[before.translate(team, i)]).toArray();
    // A rank may have finished the round that another has not: all go on from the earliest.
    round = team.allreduce(new long[] {round}, Reduction.MIN).toCompletableFuture().join()[0];
  }

  private static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
