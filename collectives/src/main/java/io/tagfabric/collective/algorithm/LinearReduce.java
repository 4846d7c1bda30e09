package io.tagfabric.collective.algorithm;

import io.tagfabric.collective.schedule.Memory;
import io.tagfabric.collective.schedule.Schedule;
import io.tagfabric.collective.schedule.ScheduleBuilder;
import io.tagfabric.collective.schedule.Slice;

/**
 * Reduce by the root alone: all send to it, and it combines in rank order. One step, {@code p - 1}
 * messages of n elements, {@code (p - 1) n} elements of scratch memory at the root.
 *
 * @source MPI-4.1 §6.9.1
 */
final class LinearReduce implements Algorithm {
  @Override
  public String key() {
    return "linear";
  }

  @Override
  public Collective collective() {
    return Collective.REDUCE;
  }

  @Override
  public Schedule schedule(Shape shape) {
    ScheduleBuilder builder = new ScheduleBuilder(shape.rank(), shape.size());
    Slice input = Memory.INPUT.slice(0, shape.count());
    if (shape.rank() != shape.root()) {
      return builder.send(shape.root(), input).build();
    }
    Slice[] parts = new Slice[shape.size()];
    for (int rank = 0; rank < shape.size(); rank++) {
      parts[rank] = rank == shape.rank() ? input : builder.scratch(shape.count());
      if (rank != shape.rank()) {
        builder.receive(rank, parts[rank]);
      }
    }
    InOrder.fold(parts, Memory.OUTPUT.slice(0, shape.count()), builder);
    return builder.build();
  }
}
