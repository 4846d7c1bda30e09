package io.tagfabric.bench.collective;

import io.tagfabric.collective.Team;
import io.tagfabric.collective.reduce.Elements;
import io.tagfabric.collective.run.CollectiveCompletion;
import java.util.concurrent.CompletionStage;
import org.HdrHistogram.Histogram;

/**
 * Calls of one collective that all ranks of a team make, one after the other; a barrier that is not
 * timed lies between two. Rank 0 decides how many.
 */
final class RankCalls {
  static final long MS = 1_000_000L;

  private static final int LEAST = 10;
  private static final int PROBES = 20;
  private static final int ROUND_MS = 400;

  private final Team team;
  private final MemberCall memberCall;
  private final int most;

  /**
   * Prepares them.
   *
   * @param most calls at a time
   */
  RankCalls(Team team, MemberCall memberCall, int most) {
    this.team = team;
    this.memberCall = memberCall;
    this.most = most;
  }

  /** Rounds of calls until rank 0 finds that they get no faster. */
  void warmUp() {
    SteadyState steady = new SteadyState();
    boolean goesOn = true;
    int probes = PROBES;
    while (goesOn) {
      Histogram timesNs = new Histogram(3);
      int calls = fitting(probes, ROUND_MS * MS);
      make(calls, timesNs);
      boolean done = steady.isReachedWith(timesNs.getValueAtPercentile(50));
      goesOn = decided(done ? 0 : 1) != 0;
      probes = Math.min(calls, 10 * PROBES);
    }
  }

  /** How many calls, and the barriers between, rank 0 thinks fit into a time, after some more. */
  int fitting(int probes, long budgetNs) {
    long beginNs = System.nanoTime();
    make(probes, new Histogram(1));
    double eachNs = (double) Math.max(1, System.nanoTime() - beginNs) / probes;
    return decided((int) Math.max(LEAST, Math.min(most, budgetNs / eachNs)));
  }

  private int decided(int own) {
    Elements decision = Elements.of(own);
    await(team.broadcast(decision, 0));
    return decision.ints()[0];
  }

  /** Makes them; tells of the last one. */
  CollectiveCompletion make(int calls, Histogram timesNs) {
    CollectiveCompletion last = null;
    for (int call = 0; call < calls; call++) {
      await(team.barrier());
      long beginNs = System.nanoTime();
      last = await(memberCall.call());
      timesNs.recordValue(System.nanoTime() - beginNs);
    }
    await(team.barrier());
    return last;
  }

  private static <T> T await(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }
}
