package io.tagfabric.collective.algorithm;

import io.tagfabric.collective.schedule.Memory;
import io.tagfabric.collective.schedule.Schedule;
import io.tagfabric.collective.schedule.ScheduleBuilder;
import io.tagfabric.collective.schedule.Slice;

/**
 * Allgather where each sends its block to all: one step, {@code p - 1} messages of a block a rank.
 * For a few ranks.
 *
 * @source MPI-4.1 §6.7
 */
final class LinearAllgather implements Algorithm {
  @Override
  public String key() {
    return "linear";
  }

  @Override
  public Collective collective() {
    return Collective.ALLGATHER;
  }

  @Override
  public Schedule schedule(Shape shape) {
    ScheduleBuilder builder = new ScheduleBuilder(shape.rank(), shape.size());
    Slice own = Memory.INPUT.slice(0, shape.count());
    for (int distance = 1; distance < shape.size(); distance++) {
      int from = shape.after(-distance);
      builder
          .send(shape.after(distance), own)
          .receive(from, shape.outputs().of(Memory.OUTPUT, from));
    }
    return builder.copy(own, shape.outputs().of(Memory.OUTPUT, shape.rank())).build();
  }
}
