package io.tagfabric.collective.algorithm;

import io.tagfabric.collective.schedule.Memory;
import io.tagfabric.collective.schedule.Schedule;
import io.tagfabric.collective.schedule.ScheduleBuilder;
import io.tagfabric.collective.schedule.Slice;

/**
 * Reduce-scatter by exchange of all pairs: in step i a rank sends the block of the rank i after it
 * and receives its own block from the one i before it; at the end it combines them in rank order.
 * {@code p - 1} steps, a rank sends all its vector but its own block, and holds {@code p - 1} of
 * its blocks in scratch memory.
 *
 * @source MPI-4.1 §6.10; Thakur, Rabenseifner, Gropp, IJHPCA 19(1), 2005
 */
final class PairwiseReduceScatter implements Algorithm {
  @Override
  public String key() {
    return "pairwise";
  }

  @Override
  public Collective collective() {
    return Collective.REDUCE_SCATTER;
  }

  @Override
  public Schedule schedule(Shape shape) {
    ScheduleBuilder builder = new ScheduleBuilder(shape.rank(), shape.size());
    Slice[] parts = new Slice[shape.size()];
    parts[shape.rank()] = shape.inputs().of(Memory.INPUT, shape.rank());
    for (int distance = 1; distance < shape.size(); distance++) {
      int to = shape.after(distance);
      int from = shape.after(-distance);
      parts[from] = builder.scratch(shape.count());
      builder.send(to, shape.inputs().of(Memory.INPUT, to)).receive(from, parts[from]).nextRound();
    }
    InOrder.fold(parts, Memory.OUTPUT.slice(0, shape.count()), builder);
    return builder.build();
  }
}
