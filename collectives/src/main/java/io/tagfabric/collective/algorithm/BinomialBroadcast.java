package io.tagfabric.collective.algorithm;

import io.tagfabric.collective.schedule.Memory;
import io.tagfabric.collective.schedule.Schedule;
import io.tagfabric.collective.schedule.ScheduleBuilder;
import io.tagfabric.collective.schedule.Slice;

/**
 * Broadcast along a binomial tree: a rank that has the data sends them to one more rank in every
 * step. {@code ceil(lg p)} steps, {@code p - 1} messages of n elements. Best for short vectors: the
 * root sends {@code ceil(lg p) * n} elements itself.
 *
 * <pre>
 *   p = 6, root 0          rank  0  1  2  3  4  5
 *   step 1                       0 ---------> 4
 *   step 2                       0 ---> 2     4    (6 is not there)
 *   step 3                       0->1  2->3   4->5
 * </pre>
 *
 * @source MPI-4.1 §6.4; Thakur, Rabenseifner, Gropp, "Optimization of collective communication
 *     operations in MPICH", IJHPCA 19(1), 2005
 */
final class BinomialBroadcast implements Algorithm {
  @Override
  public String key() {
    return "binomial";
  }

  @Override
  public Collective collective() {
    return Collective.BROADCAST;
  }

  @Override
  public boolean pipelined() {
    return true;
  }

  @Override
  public Schedule schedule(Shape shape) {
    ScheduleBuilder builder = new ScheduleBuilder(shape.rank(), shape.size());
    Slice data = Memory.OUTPUT.slice(0, shape.count());
    int place = shape.relative();
    int mask = 1 << PowersOfTwo.ceilingLog(shape.size());
    if (place != 0) {
      mask = Integer.lowestOneBit(place);
      builder.receive(shape.absolute(place - mask), data).nextRound();
    }
    for (mask >>= 1; mask > 0; mask >>= 1) {
      if (place + mask < shape.size()) {
        builder.send(shape.absolute(place + mask), data).nextRound();
      }
    }
    return builder.build();
  }
}
