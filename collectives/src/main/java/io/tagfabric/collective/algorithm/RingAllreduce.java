package io.tagfabric.collective.algorithm;

import io.tagfabric.collective.schedule.Blocks;
import io.tagfabric.collective.schedule.Memory;
import io.tagfabric.collective.schedule.Schedule;
import io.tagfabric.collective.schedule.ScheduleBuilder;
import io.tagfabric.collective.schedule.Slice;

/**
 * Allreduce of long vectors around a ring: p blocks are reduced while they pass around once, and
 * spread while they pass around again. {@code 2 (p - 1)} steps, a rank sends {@code 2 (p - 1) / p *
 * n} elements, the least there can be, and to one neighbour only. A block's contributions are
 * combined in the ring's order from some rank on, so the operator must be commutative. Each block
 * is finished at one rank, so all ranks get the same bits.
 *
 * @source Patarasuk, Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations",
 *     JPDC 69(2), 2009
 */
final class RingAllreduce implements Algorithm {
  @Override
  public String key() {
    return "ring";
  }

  @Override
  public Collective collective() {
    return Collective.ALLREDUCE;
  }

  @Override
  public boolean keepsOrder() {
    return false;
  }

  @Override
  public Schedule schedule(Shape shape) {
    int size = shape.size();
    ScheduleBuilder builder = new ScheduleBuilder(shape.rank(), size);
    Blocks blocks = Blocks.split(shape.count(), size);
    Slice received = builder.scratch(blocks.length(0));
    builder.copy(Memory.INPUT.slice(0, shape.count()), Memory.OUTPUT.slice(0, shape.count()));
    for (int step = 0; step < size - 1; step++) {
      Slice mine = blocks.of(Memory.OUTPUT, shape.after(-step - 1));
      Slice theirs = received.part(0, mine.length());
      builder
          .send(shape.after(1), blocks.of(Memory.OUTPUT, shape.after(-step)))
          .receive(shape.after(-1), theirs)
          .reduce(theirs, mine, mine)
          .nextRound();
    }
    for (int step = 0; step < size - 1; step++) {
      builder
          .send(shape.after(1), blocks.of(Memory.OUTPUT, shape.after(1 - step)))
          .receive(shape.after(-1), blocks.of(Memory.OUTPUT, shape.after(-step)))
          .nextRound();
    }
    return builder.build();
  }
}
