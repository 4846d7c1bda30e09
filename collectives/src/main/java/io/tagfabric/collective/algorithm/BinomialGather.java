package io.tagfabric.collective.algorithm;

import io.tagfabric.collective.schedule.Memory;
import io.tagfabric.collective.schedule.Schedule;
import io.tagfabric.collective.schedule.ScheduleBuilder;
import io.tagfabric.collective.schedule.Slice;

/**
 * Gather of equal blocks along a binomial tree: {@code ceil(lg p)} steps, {@code p - 1} messages.
 * Inner ranks hold the blocks of their subtree in scratch memory.
 *
 * @source MPI-4.1 §6.5; Thakur, Rabenseifner, Gropp, IJHPCA 19(1), 2005
 */
final class BinomialGather implements Algorithm {
  @Override
  public String key() {
    return "binomial";
  }

  @Override
  public Collective collective() {
    return Collective.GATHER;
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
    Slice input = Memory.INPUT.slice(0, count);
    int subtree = place == 0 ? size : Math.min(Integer.lowestOneBit(place), size - place);
    if (subtree == 1 && size > 1) {
      return builder.send(shape.absolute(place - Integer.lowestOneBit(place)), input).build();
    }
    boolean direct = place == 0 && shape.root() == 0;
    Slice blocks =
        direct
            ? Memory.OUTPUT.slice(0, size * count)
            : builder.scratch(Math.multiplyExact(subtree, count));
    builder.copy(input, blocks.part(0, count));
    for (int mask = 1; mask < subtree; mask <<= 1) {
      int length = Math.min(mask, size - place - mask) * count;
      builder.receive(shape.absolute(place + mask), blocks.part(mask * count, length)).nextRound();
    }
    if (place != 0) {
      return builder
          .nextRound()
          .send(shape.absolute(place - Integer.lowestOneBit(place)), blocks)
          .build();
    }
    if (!direct) {
      int untilEnd = (size - shape.root()) * count;
      int fromStart = shape.root() * count;
      builder
          .copy(blocks.part(0, untilEnd), Memory.OUTPUT.slice(fromStart, untilEnd))
          .copy(blocks.part(untilEnd, fromStart), Memory.OUTPUT.slice(0, fromStart));
    }
    return builder.build();
  }
}
