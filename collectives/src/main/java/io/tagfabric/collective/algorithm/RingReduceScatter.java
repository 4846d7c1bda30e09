package io.tagfabric.collective.algorithm;

import io.tagfabric.collective.schedule.Memory;
import io.tagfabric.collective.schedule.Schedule;
import io.tagfabric.collective.schedule.ScheduleBuilder;
import io.tagfabric.collective.schedule.Slice;

/**
 * Reduce-scatter around a ring, the first half of {@link RingAllreduce}: {@code p - 1} steps, a
 * rank sends all blocks but its own, and to one neighbour only. The operator must be commutative.
 *
 * @source Patarasuk, Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations",
 *     JPDC 69(2), 2009
 */
final class RingReduceScatter implements Algorithm {
  @Override
  public String key() {
    return "ring";
  }

  @Override
  public Collective collective() {
    return Collective.REDUCE_SCATTER;
  }

  @Override
  public boolean keepsOrder() {
    return false;
  }

  @Override
  public Schedule schedule(Shape shape) {
    int size = shape.size();
    ScheduleBuilder builder = new ScheduleBuilder(shape.rank(), size);
    if (size == 1) {
      return builder
          .copy(shape.inputs().of(Memory.INPUT, 0), Memory.OUTPUT.slice(0, shape.count()))
          .build();
    }
    int longest = 0;
    for (int block = 0; block < size; block++) {
      longest = Math.max(longest, shape.inputs().length(block));
    }
    Slice sum = builder.scratch(longest);
    Slice received = builder.scratch(longest);
    Slice outgoing = shape.inputs().of(Memory.INPUT, shape.after(-1));
    for (int step = 0; step < size - 1; step++) {
      Slice mine = shape.inputs().of(Memory.INPUT, shape.after(-step - 2));
      Slice theirs = received.part(0, mine.length());
      boolean last = step == size - 2;
      Slice into = last ? Memory.OUTPUT.slice(0, mine.length()) : sum.part(0, mine.length());
      builder
          .send(shape.after(1), outgoing)
          .receive(shape.after(-1), theirs)
          .reduce(theirs, mine, into)
          .nextRound();
      outgoing = into;
    }
    return builder.build();
  }
}
