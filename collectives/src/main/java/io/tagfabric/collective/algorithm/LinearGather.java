package io.tagfabric.collective.algorithm;

import io.tagfabric.collective.schedule.Memory;
import io.tagfabric.collective.schedule.Schedule;
import io.tagfabric.collective.schedule.ScheduleBuilder;
import io.tagfabric.collective.schedule.Slice;

/**
 * Gather where each sends its block to the root: one step, {@code p - 1} messages, no scratch
 * memory. Blocks may differ; only the root knows all of them.
 *
 * @source MPI-4.1 §6.5
 */
final class LinearGather implements Algorithm {
  @Override
  public String key() {
    return "linear";
  }

  @Override
  public Collective collective() {
    return Collective.GATHER;
  }

  @Override
  public Schedule schedule(Shape shape) {
    ScheduleBuilder builder = new ScheduleBuilder(shape.rank(), shape.size());
    Slice own = Memory.INPUT.slice(0, shape.count());
    if (shape.rank() != shape.root()) {
      return builder.send(shape.root(), own).build();
    }
    for (int distance = 1; distance < shape.size(); distance++) {
      int from = shape.after(distance);
      builder.receive(from, shape.outputs().of(Memory.OUTPUT, from));
    }
    return builder.copy(own, shape.outputs().of(Memory.OUTPUT, shape.rank())).build();
  }
}
