package io.tagfabric.bench.collective;

import io.tagfabric.bench.measure.Budget;
import io.tagfabric.collective.Team;
import io.tagfabric.collective.algorithm.Collective;
import io.tagfabric.collective.reduce.Elements;
import io.tagfabric.collective.run.CollectiveCompletion;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.HdrHistogram.Histogram;

/**
 * Calls that all ranks of a team make, with a barrier that is not timed between two. Rank 0 decides
 * how many, again and again; the others make as many.
 */
final class RankCalls extends Calls {
  private static final int OVER = 0;

  private final Team team;
  private final MemberCall memberCall;

  RankCalls(Team team, Collective collective, int bytes) {
    this.team = team;
    memberCall = new MemberCall(team, collective, bytes);
  }

  /** Warms up and measures; the times are those of rank 0, the other ranks have none. */
  Optional<Histogram> play(Budget budget) {
    if (team.rank() == 0) {
      Histogram timesNs = measured(budget);
      decided(OVER);
      return Optional.of(timesNs);
    }
    for (int count = decided(OVER); count != OVER; count = decided(OVER)) {
      super.run(0, count, new Histogram(1));
    }
    return Optional.empty();
  }

  @Override
  public long run(int bytes, int count, Histogram timesNs) {
    return super.run(bytes, decided(count), timesNs);
  }

  /** What rank 0 has decided. */
  private int decided(int own) {
    Elements decision = Elements.of(own);
    await(team.broadcast(decision, 0));
    return decision.ints()[0];
  }

  @Override
  void prepare() {
    await(team.barrier());
  }

  @Override
  CollectiveCompletion call() {
    return await(memberCall.call());
  }

  private static <T> T await(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }
}
