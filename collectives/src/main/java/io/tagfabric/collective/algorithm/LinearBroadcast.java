package io.tagfabric.collective.algorithm;

import io.tagfabric.collective.schedule.Memory;
import io.tagfabric.collective.schedule.Schedule;
import io.tagfabric.collective.schedule.ScheduleBuilder;
import io.tagfabric.collective.schedule.Slice;

/**
 * Broadcast by the root alone: one step, {@code p - 1} messages of n elements, all sent by the
 * root. For a few ranks.
 *
 * @source MPI-4.1 §6.4
 */
final class LinearBroadcast implements Algorithm {
  @Override
  public String key() {
    return "linear";
  }

  @Override
  public Collective collective() {
    return Collective.BROADCAST;
  }

  @Override
  public Schedule schedule(Shape shape) {
    ScheduleBuilder builder = new ScheduleBuilder(shape.rank(), shape.size());
    Slice data = Memory.OUTPUT.slice(0, shape.count());
    if (shape.relative() != 0) {
      return builder.receive(shape.root(), data).build();
    }
    for (int place = 1; place < shape.size(); place++) {
      builder.send(shape.absolute(place), data);
    }
    return builder.build();
  }
}
