package io.tagfabric.collective.algorithm;

import io.tagfabric.collective.schedule.Memory;
import io.tagfabric.collective.schedule.Schedule;
import io.tagfabric.collective.schedule.ScheduleBuilder;
import io.tagfabric.collective.schedule.Slice;

/**
 * Alltoall of short blocks: block i must travel i places; in step k all blocks whose number has bit
 * k travel {@code 2^k} places together. {@code ceil(lg p)} steps, and a rank sends about half of
 * all blocks in each, so {@code p / 2 * ceil(lg p) * n} elements at most.
 *
 * @source Bruck et al., "Efficient algorithms for all-to-all communications in multiport
 *     message-passing systems", TPDS 8(11), 1997
 */
final class BruckAlltoall implements Algorithm {
  @Override
  public String key() {
    return "bruck";
  }

  @Override
  public Collective collective() {
    return Collective.ALLTOALL;
  }

  @Override
  public boolean irregular() {
    return false;
  }

  @Override
  public Schedule schedule(Shape shape) {
    int size = shape.size();
    int count = shape.count();
    ScheduleBuilder builder = new ScheduleBuilder(shape.rank(), size);
    Slice blocks = builder.scratch(Math.multiplyExact(size, count));
    Slice outgoing = builder.scratch(size * count);
    Slice incoming = builder.scratch(size * count);
    for (int i = 0; i < size; i++) {
      builder.copy(shape.inputs().of(Memory.INPUT, shape.after(i)), blocks.part(i * count, count));
    }
    for (int mask = 1; mask < size; mask <<= 1) {
      int travelling = 0;
      for (int i = mask; i < size; i++) {
        if ((i & mask) != 0) {
          builder.copy(blocks.part(i * count, count), outgoing.part(travelling++ * count, count));
        }
      }
      builder
          .send(shape.after(mask), outgoing.part(0, travelling * count))
          .receive(shape.after(-mask), incoming.part(0, travelling * count));
      int arrived = 0;
      for (int i = mask; i < size; i++) {
        if ((i & mask) != 0) {
          builder.copy(incoming.part(arrived++ * count, count), blocks.part(i * count, count));
        }
      }
    }
    for (int i = 0; i < size; i++) {
      builder.copy(
          blocks.part(i * count, count), shape.outputs().of(Memory.OUTPUT, shape.after(-i)));
    }
    return builder.build();
  }
}
