package io.tagfabric.collective.algorithm;

import io.tagfabric.collective.schedule.Memory;
import io.tagfabric.collective.schedule.Schedule;
import io.tagfabric.collective.schedule.ScheduleBuilder;
import io.tagfabric.collective.schedule.Slice;

/**
 * Allreduce of long vectors: a reduce-scatter by halving, then the same way back as an allgather.
 * With {@code P} the greatest power of two up to p, {@code 2 lg P} steps, and 2 more if p is none;
 * a rank sends about {@code 2 n} elements, {@code 3 n} if it stands for two. Each part of the
 * result is made at one place, so all ranks get the same bits.
 *
 * @source Rabenseifner, "Optimization of collective reduction operations", ICCS 2004
 */
final class RabenseifnerAllreduce implements Algorithm {
  @Override
  public String key() {
    return "rabenseifner";
  }

  @Override
  public Collective collective() {
    return Collective.ALLREDUCE;
  }

  @Override
  public Schedule schedule(Shape shape) {
    ScheduleBuilder builder = new ScheduleBuilder(shape.rank(), shape.size());
    Slice output = Memory.OUTPUT.slice(0, shape.count());
    VectorHalving halving = new VectorHalving(shape, builder, output);
    if (!halving.reduceScatter()) {
      return builder.receive(shape.rank() + 1, output).build();
    }
    for (int step = halving.steps() - 1; step >= 0; step--) {
      int partner = halving.partner(step);
      builder
          .send(partner, halving.kept(step + 1))
          .receive(partner, halving.given(step))
          .nextRound();
    }
    if (halving.folded().isPaired(shape.rank())) {
      builder.send(shape.rank() - 1, output);
    }
    return builder.build();
  }
}
