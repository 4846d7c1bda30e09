package io.tagfabric.collective.algorithm;

import io.tagfabric.collective.schedule.Schedule;
import io.tagfabric.collective.schedule.ScheduleBuilder;

/**
 * Barrier along a binomial tree: each rank tells its parent when its subtree is there, and the root
 * tells all that the others are. {@code 2 * floor(lg p)} steps, {@code 2 (p - 1)} empty messages in
 * all, where a {@link DisseminationBarrier} sends {@code p * ceil(lg p)}: for members that take
 * turns on few cores, where the sum of all work counts.
 *
 * @source Mellor-Crummey, Scott, "Algorithms for scalable synchronization on shared-memory
 *     multiprocessors", ACM TOCS 9(1), 1991 (tree barriers)
 */
final class BinomialBarrier implements Algorithm {
  @Override
  public String key() {
    return "binomial";
  }

  @Override
  public Collective collective() {
    return Collective.BARRIER;
  }

  @Override
  public Schedule schedule(Shape shape) {
    ScheduleBuilder builder = new ScheduleBuilder(shape.rank(), shape.size());
    int rank = shape.rank();
    int end = rank == 0 ? shape.size() : Integer.lowestOneBit(rank);
    for (int mask = 1; mask < end && rank + mask < shape.size(); mask <<= 1) {
      builder.awaitSignal(rank + mask);
    }
    builder.nextRound();
    if (rank != 0) {
      int parent = rank - Integer.lowestOneBit(rank);
      builder.signal(parent).awaitSignal(parent).nextRound();
    }
    for (int mask = Integer.highestOneBit(shape.size()); mask > 0; mask >>= 1) {
      if (mask < end && rank + mask < shape.size()) {
        builder.signal(rank + mask);
      }
    }
    return builder.build();
  }
}
