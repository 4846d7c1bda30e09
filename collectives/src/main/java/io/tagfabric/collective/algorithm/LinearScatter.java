package io.tagfabric.collective.algorithm;

import io.tagfabric.collective.schedule.Memory;
import io.tagfabric.collective.schedule.Schedule;
import io.tagfabric.collective.schedule.ScheduleBuilder;
import io.tagfabric.collective.schedule.Slice;

/**
 * Scatter where the root sends each its block: one step, {@code p - 1} messages, no scratch memory.
 * Blocks may differ; only the root knows all of them.
 *
 * @source MPI-4.1 §6.6
 */
final class LinearScatter implements Algorithm {
  @Override
  public String key() {
    return "linear";
  }

  @Override
  public Collective collective() {
    return Collective.SCATTER;
  }

  @Override
  public Schedule schedule(Shape shape) {
    ScheduleBuilder builder = new ScheduleBuilder(shape.rank(), shape.size());
    Slice own = Memory.OUTPUT.slice(0, shape.count());
    if (shape.rank() != shape.root()) {
      return builder.receive(shape.root(), own).build();
    }
    for (int distance = 1; distance < shape.size(); distance++) {
      int to = shape.after(distance);
      builder.send(to, shape.inputs().of(Memory.INPUT, to));
    }
    return builder.copy(shape.inputs().of(Memory.INPUT, shape.rank()), own).build();
  }
}
