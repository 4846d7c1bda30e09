package io.tagfabric.collective.algorithm;

import io.tagfabric.collective.schedule.Memory;
import io.tagfabric.collective.schedule.Schedule;
import io.tagfabric.collective.schedule.ScheduleBuilder;
import io.tagfabric.collective.schedule.Slice;

/**
 * Allgather of short blocks: in step k a rank sends all blocks it has, at most those still missing,
 * to the one {@code 2^k} before it. {@code ceil(lg p)} steps, a rank sends {@code (p - 1) n}
 * elements. Blocks lie in scratch memory beginning with the rank's own, and are put in their places
 * at the end.
 *
 * @source Bruck et al., "Efficient algorithms for all-to-all communications in multiport
 *     message-passing systems", TPDS 8(11), 1997
 */
final class BruckAllgather implements Algorithm {
  @Override
  public String key() {
    return "bruck";
  }

  @Override
  public Collective collective() {
    return Collective.ALLGATHER;
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
    builder.copy(Memory.INPUT.slice(0, count), blocks.part(0, count));
    for (int have = 1; have < size; have *= 2) {
      int length = Math.min(have, size - have) * count;
      builder
          .send(shape.after(-have), blocks.part(0, length))
          .receive(shape.after(have), blocks.part(have * count, length))
          .nextRound();
    }
    int untilEnd = (size - shape.rank()) * count;
    int fromStart = shape.rank() * count;
    return builder
        .copy(blocks.part(0, untilEnd), Memory.OUTPUT.slice(fromStart, untilEnd))
        .copy(blocks.part(untilEnd, fromStart), Memory.OUTPUT.slice(0, fromStart))
        .build();
  }
}
