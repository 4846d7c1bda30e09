package io.tagfabric.collective.algorithm;

import io.tagfabric.collective.schedule.Memory;
import io.tagfabric.collective.schedule.Schedule;
import io.tagfabric.collective.schedule.ScheduleBuilder;
import io.tagfabric.collective.schedule.Slice;

/**
 * Scatter of equal blocks along a binomial tree: {@code ceil(lg p)} steps, {@code p - 1} messages.
 * Inner ranks hold the blocks of their subtree in scratch memory.
 *
 * @source MPI-4.1 §6.6; Thakur, Rabenseifner, Gropp, IJHPCA 19(1), 2005
 */
final class BinomialScatter implements Algorithm {
  @Override
  public String key() {
    return "binomial";
  }

  @Override
  public Collective collective() {
    return Collective.SCATTER;
  }

  @Override
  public boolean irregular() {
    return false;
  }

  @Override
  public Schedule schedule(Shape shape) {
    int size = shape.size();
    int count = shape.count();
    int place = shape.relative();
    ScheduleBuilder builder = new ScheduleBuilder(shape.rank(), size);
    Slice output = Memory.OUTPUT.slice(0, count);
    int subtree = place == 0 ? size : Math.min(Integer.lowestOneBit(place), size - place);
    int mask = place == 0 ? 1 << PowersOfTwo.ceilingLog(size) : Integer.lowestOneBit(place);
    if (subtree == 1 && size > 1) {
      return builder.receive(shape.absolute(place - mask), output).build();
    }
    Slice blocks = blocks(shape, subtree, builder);
    if (place != 0) {
      builder.receive(shape.absolute(place - mask), blocks).nextRound();
    }
    for (mask >>= 1; mask > 0; mask >>= 1) {
      if (place + mask < size) {
        int length = Math.min(mask, size - place - mask) * count;
        builder.send(shape.absolute(place + mask), blocks.part(mask * count, length)).nextRound();
      }
    }
    return builder.copy(blocks.part(0, count), output).build();
  }

  /** The blocks of a subtree, beginning with its root's; at the root of all they are there. */
  private static Slice blocks(Shape shape, int subtree, ScheduleBuilder builder) {
    int count = shape.count();
    if (shape.relative() == 0 && shape.root() == 0) {
      return Memory.INPUT.slice(0, subtree * count);
    }
    Slice blocks = builder.scratch(Math.multiplyExact(subtree, count));
    if (shape.relative() == 0) {
      int untilEnd = (subtree - shape.root()) * count;
      int fromStart = shape.root() * count;
      builder
          .copy(Memory.INPUT.slice(fromStart, untilEnd), blocks.part(0, untilEnd))
          .copy(Memory.INPUT.slice(0, fromStart), blocks.part(untilEnd, fromStart));
    }
    return blocks;
  }
}
