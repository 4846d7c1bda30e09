package io.tagfabric.collective.algorithm;

import io.tagfabric.collective.schedule.Blocks;
import io.tagfabric.collective.schedule.Memory;
import io.tagfabric.collective.schedule.Schedule;
import io.tagfabric.collective.schedule.ScheduleBuilder;

/**
 * Broadcast of long vectors: the root scatters p blocks along a binomial tree, then the blocks go
 * around a ring. {@code ceil(lg p) + p - 1} steps; no rank sends more than about {@code 2 n}
 * elements, whatever p is.
 *
 * @source van de Geijn, "On global combine operations", JPDC 22(2), 1994
 */
final class ScatterAllgatherBroadcast implements Algorithm {
  @Override
  public String key() {
    return "scatter-allgather";
  }

  @Override
  public Collective collective() {
    return Collective.BROADCAST;
  }

  @Override
  public Schedule schedule(Shape shape) {
    ScheduleBuilder builder = new ScheduleBuilder(shape.rank(), shape.size());
    Blocks blocks = Blocks.split(shape.count(), shape.size());
    scatter(shape, blocks, builder);
    int place = shape.relative();
    int next = shape.absolute((place + 1) % shape.size());
    int previous = shape.absolute((place + shape.size() - 1) % shape.size());
    for (int step = 0; step < shape.size() - 1; step++) {
      int outgoing = Math.floorMod(place - step, shape.size());
      int incoming = Math.floorMod(place - step - 1, shape.size());
      builder
          .send(next, blocks.of(Memory.OUTPUT, outgoing))
          .receive(previous, blocks.of(Memory.OUTPUT, incoming))
          .nextRound();
    }
    return builder.build();
  }

  /** A rank at a place gets the blocks of the places of its subtree. */
  private static void scatter(Shape shape, Blocks blocks, ScheduleBuilder builder) {
    int place = shape.relative();
    int mask = 1 << PowersOfTwo.ceilingLog(shape.size());
    if (place != 0) {
      mask = Integer.lowestOneBit(place);
      int end = Math.min(place + mask, shape.size());
      builder
          .receive(shape.absolute(place - mask), blocks.range(Memory.OUTPUT, place, end))
          .nextRound();
    }
    for (mask >>= 1; mask > 0; mask >>= 1) {
      int child = place + mask;
      if (child < shape.size()) {
        int end = Math.min(child + mask, shape.size());
        builder.send(shape.absolute(child), blocks.range(Memory.OUTPUT, child, end)).nextRound();
      }
    }
  }
}
