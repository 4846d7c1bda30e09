package io.tagfabric.collective.algorithm;

import io.tagfabric.collective.schedule.Memory;
import io.tagfabric.collective.schedule.Schedule;
import io.tagfabric.collective.schedule.ScheduleBuilder;

/**
 * Allgather of long blocks around a ring: each passes on what it got last. {@code p - 1} steps, a
 * rank sends all blocks but the one of its next neighbour, so {@code (p - 1) n} elements if they
 * are equal. Blocks may differ; then the longest sets the pace of every step.
 *
 * @source Thakur, Rabenseifner, Gropp, "Optimization of collective communication operations in
 *     MPICH", IJHPCA 19(1), 2005
 */
final class RingAllgather implements Algorithm {
  @Override
  public String key() {
    return "ring";
  }

  @Override
  public Collective collective() {
    return Collective.ALLGATHER;
  }

  @Override
  public Schedule schedule(Shape shape) {
    ScheduleBuilder builder = new ScheduleBuilder(shape.rank(), shape.size());
    builder.copy(
        Memory.INPUT.slice(0, shape.count()), shape.outputs().of(Memory.OUTPUT, shape.rank()));
    for (int step = 0; step < shape.size() - 1; step++) {
      builder
          .send(shape.after(1), shape.outputs().of(Memory.OUTPUT, shape.after(-step)))
          .receive(shape.after(-1), shape.outputs().of(Memory.OUTPUT, shape.after(-step - 1)))
          .nextRound();
    }
    return builder.build();
  }
}
