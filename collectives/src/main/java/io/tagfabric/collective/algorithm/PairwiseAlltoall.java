package io.tagfabric.collective.algorithm;

import io.tagfabric.collective.schedule.Memory;
import io.tagfabric.collective.schedule.Schedule;
import io.tagfabric.collective.schedule.ScheduleBuilder;

/**
 * Alltoall of long blocks: in step i a rank sends to the one i after it and receives from the one i
 * before it. {@code p - 1} steps, one message of a block each. Linear, the same messages are all
 * under way in one step: quicker for a few ranks, too much at once for many.
 *
 * @source Thakur, Rabenseifner, Gropp, "Optimization of collective communication operations in
 *     MPICH", IJHPCA 19(1), 2005
 */
final class PairwiseAlltoall implements Algorithm {
  private final boolean linear;

  PairwiseAlltoall(boolean linear) {
    this.linear = linear;
  }

  @Override
  public String key() {
    return linear ? "linear" : "pairwise";
  }

  @Override
  public Collective collective() {
    return Collective.ALLTOALL;
  }

  @Override
  public Schedule schedule(Shape shape) {
    ScheduleBuilder builder = new ScheduleBuilder(shape.rank(), shape.size());
    for (int distance = 1; distance < shape.size(); distance++) {
      int to = shape.after(distance);
      int from = shape.after(-distance);
      builder
          .send(to, shape.inputs().of(Memory.INPUT, to))
          .receive(from, shape.outputs().of(Memory.OUTPUT, from));
      if (!linear) {
        builder.nextRound();
      }
    }
    return builder
        .copy(
            shape.inputs().of(Memory.INPUT, shape.rank()),
            shape.outputs().of(Memory.OUTPUT, shape.rank()))
        .build();
  }
}
