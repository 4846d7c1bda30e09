package io.tagfabric.collective.algorithm;

import io.tagfabric.collective.schedule.Memory;
import io.tagfabric.collective.schedule.Schedule;
import io.tagfabric.collective.schedule.ScheduleBuilder;
import io.tagfabric.collective.schedule.Slice;

/**
 * Allreduce up and down a binomial tree: {@link BinomialReduce} to rank 0, {@link
 * BinomialBroadcast} from there. {@code ceil(lg p) + floor(lg p)} steps, {@code 2 (p - 1)} messages
 * of n elements in all, where {@link RecursiveDoublingAllreduce} sends about {@code p * lg p}: for
 * short vectors of members that take turns on few cores, where the sum of all work counts.
 *
 * @source Thakur, Rabenseifner, Gropp, "Optimization of collective communication operations in
 *     MPICH", IJHPCA 19(1), 2005
 */
final class BinomialAllreduce implements Algorithm {
  @Override
  public String key() {
    return "binomial";
  }

  @Override
  public Collective collective() {
    return Collective.ALLREDUCE;
  }

  @Override
  public Schedule schedule(Shape shape) {
    ScheduleBuilder builder = new ScheduleBuilder(shape.rank(), shape.size());
    int rank = shape.rank();
    Slice output = Memory.OUTPUT.slice(0, shape.count());
    BinomialReduce.tree(Shape.vector(rank, shape.size(), 0, shape.count()), output, builder);
    builder.nextRound();
    int end = shape.size();
    if (rank != 0) {
      end = Integer.lowestOneBit(rank);
      builder.receive(rank - end, output).nextRound();
    }
    for (int mask = Integer.highestOneBit(shape.size()); mask > 0; mask >>= 1) {
      if (mask < end && rank + mask < shape.size()) {
        builder.send(rank + mask, output);
      }
    }
    return builder.build();
  }
}
