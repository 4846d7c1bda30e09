package io.tagfabric.collective.algorithm;

import io.tagfabric.collective.schedule.Memory;
import io.tagfabric.collective.schedule.Schedule;
import io.tagfabric.collective.schedule.ScheduleBuilder;

/**
 * Reduce of long vectors: a reduce-scatter by halving, then the parts are gathered at the root.
 * With {@code P} the greatest power of two up to p, {@code 2 lg P} steps, 2 more if p is none (1 if
 * the root is not the even rank of a pair); a rank sends about {@code 2 n} elements at most.
 *
 * @source Rabenseifner, "Optimization of collective reduction operations", ICCS 2004
 */
final class RabenseifnerReduce implements Algorithm {
  @Override
  public String key() {
    return "rabenseifner";
  }

  @Override
  public Collective collective() {
    return Collective.REDUCE;
  }

  @Override
  public Schedule schedule(Shape shape) {
    ScheduleBuilder builder = new ScheduleBuilder(shape.rank(), shape.size());
    var output = Memory.OUTPUT.slice(0, shape.count());
    boolean isRoot = shape.rank() == shape.root();
    FoldedRanks folded = FoldedRanks.of(shape.size());
    boolean isAway = folded.isAway(shape.rank());
    var vector = isRoot || isAway ? output : builder.scratch(shape.count());
    VectorHalving halving = new VectorHalving(shape, builder, vector);
    if (halving.reduceScatter()) {
      gather(shape, halving, builder);
    }
    if (folded.isAway(shape.root())) {
      if (isRoot) {
        builder.receive(shape.rank() + 1, output);
      } else if (shape.rank() == shape.root() + 1) {
        builder.send(shape.root(), vector);
      }
    }
    return builder.build();
  }

  private static void gather(Shape shape, VectorHalving halving, ScheduleBuilder builder) {
    FoldedRanks folded = halving.folded();
    int differing = folded.newRank(shape.rank()) ^ folded.newRank(shape.root());
    for (int step = halving.steps() - 1; step >= 0; step--) {
      if ((differing >> step & 1) != 0) {
        builder.send(halving.partner(step), halving.kept(step + 1)).nextRound();
        return;
      }
      builder.receive(halving.partner(step), halving.given(step)).nextRound();
    }
  }
}
