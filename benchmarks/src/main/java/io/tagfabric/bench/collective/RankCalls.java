package io.tagfabric.bench.collective;

import io.tagfabric.bench.measure.Budget;
import io.tagfabric.collective.PreparedCollective;
import io.tagfabric.collective.Team;
import io.tagfabric.collective.algorithm.Collective;
import io.tagfabric.collective.reduce.Elements;
import io.tagfabric.collective.run.CollectiveCompletion;
import io.tagfabric.fabric.Domain;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.Histogram;

/**
 * Calls that all ranks of a team make, with a barrier that is not timed between two. Rank 0 decides
 * how many, again and again; the others make as many.
 */
final class RankCalls extends Calls {
  private static final int OVER = 0;
  private static final long LOOK_NS = 1_000_000_000;

  private final Team team;
  private final BooleanSupplier isDone;
  private final MemberCall memberCall;
  private CollectiveCompletion last;

  RankCalls(Team team, Collective collective, int bytes, boolean prepares) {
    this.team = team;
    memberCall = new MemberCall(team, collective, bytes, prepares);
    isDone = memberCall.prepared() == null ? () -> true : memberCall.prepared()::isDone;
  }

  /** Warms up and measures; the times are those of rank 0, the other ranks have none. */
  Optional<Histogram> play(Budget budget) {
    if (team.rank() == 0) {
      Histogram timesNs = measured(budget);
      decided(OVER);
      countAllocated();
      return Optional.of(timesNs);
    }
    for (int count = decided(OVER); count != OVER; count = decided(OVER)) {
      super.run(0, count, new Histogram(1));
    }
    countAllocated();
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
  void call() {
    PreparedCollective prepared = memberCall.prepared();
    if (prepared == null) {
      last = await(memberCall.call());
      return;
    }
    prepared.start();
    if (!prepared.isDone()) {
      awaitDone();
    }
    if (prepared.failure() != null) {
      throw prepared.failure();
    }
  }

  /** Drives the domain as a wait does, without an object. */
  private void awaitDone() {
    Domain domain = team.domain();
    boolean ended = false;
    while (!ended) {
      long untilNs = domain.loop().time().nanoTime() + LOOK_NS;
      ended = domain.loop().await(isDone, untilNs, domain.progressSettings().waiting());
    }
  }

  @Override
  CollectiveCompletion last() {
    return memberCall.prepared() == null ? last : memberCall.prepared().completion();
  }

  private static <T> T await(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }
}
