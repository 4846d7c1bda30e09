package io.tagfabric.bench.collective;

import io.tagfabric.collective.PreparedCollective;
import io.tagfabric.collective.Team;
import io.tagfabric.collective.algorithm.Collective;
import io.tagfabric.collective.reduce.ElementKind;
import io.tagfabric.collective.reduce.Elements;
import io.tagfabric.collective.reduce.Reduction;
import io.tagfabric.collective.run.CollectiveCall;
import io.tagfabric.collective.run.CollectiveCompletion;
import java.util.concurrent.CompletionStage;

/** One member's memory for a collective, and its call. */
final class MemberCall {
  private final Team team;
  private final Collective collective;
  private final ElementKind kind;
  private final Elements one;
  private final Elements other;
  private final Elements ofAll;
  private final Elements toAll;
  private final PreparedCollective prepared;

  /**
   * A member's.
   *
   * @param prepares whether the call is prepared once
   */
  MemberCall(Team team, Collective collective, int bytes, boolean prepares) {
    this.team = team;
    this.collective = collective;
    this.kind = bytes % Double.BYTES == 0 ? ElementKind.FLOAT64 : ElementKind.INT8;
    int count = bytes / kind.bytes();
    boolean hasBlocks =
        switch (collective) {
          case GATHER, SCATTER, ALLGATHER, ALLTOALL, REDUCE_SCATTER -> true;
          default -> false;
        };
    one = Elements.allocate(kind, count);
    other = Elements.allocate(kind, count);
    ofAll = Elements.allocate(kind, hasBlocks ? count * team.size() : 0);
    toAll = Elements.allocate(kind, hasBlocks ? count * team.size() : 0);
    prepared = prepares ? team.prepare(collectiveCall()) : null;
  }

  /** Null if it is not prepared. */
  PreparedCollective prepared() {
    return prepared;
  }

  /** Starts it when it is not prepared. */
  CompletionStage<CollectiveCompletion> call() {
    return team.start(collectiveCall());
  }

  private CollectiveCall collectiveCall() {
    return switch (collective) {
      case BARRIER -> CollectiveCall.barrier();
      case BROADCAST -> CollectiveCall.broadcast(one, 0);
      case REDUCE -> CollectiveCall.reduce(one, other, Reduction.SUM, 0);
      case ALLREDUCE -> CollectiveCall.allreduce(one, other, Reduction.SUM);
      case GATHER -> CollectiveCall.gather(one, ofAll, 0);
      case SCATTER -> CollectiveCall.scatter(ofAll, one, 0);
      case ALLGATHER -> CollectiveCall.allgather(one, ofAll);
      case ALLTOALL -> CollectiveCall.alltoall(ofAll, toAll);
      case REDUCE_SCATTER -> CollectiveCall.reduceScatterBlock(ofAll, one, Reduction.SUM);
      case SCAN -> CollectiveCall.scan(one, other, Reduction.SUM);
      case EXSCAN -> CollectiveCall.exscan(one, other, Reduction.SUM);
      case NEIGHBOUR_EXCHANGE -> throw new IllegalArgumentException("neighbours are not measured");
    };
  }
}
