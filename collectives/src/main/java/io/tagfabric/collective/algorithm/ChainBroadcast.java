package io.tagfabric.collective.algorithm;

import io.tagfabric.collective.schedule.Memory;
import io.tagfabric.collective.schedule.Schedule;
import io.tagfabric.collective.schedule.ScheduleBuilder;
import io.tagfabric.collective.schedule.Slice;

/**
 * Broadcast along a chain: each rank passes the data on to the next. {@code p - 1} steps, {@code p
 * - 1} messages of n elements. Cut into s segments, which follow one another, it takes {@code p - 2
 * + s} steps of {@code n / s} elements, and no rank sends more than n: the least there can be.
 *
 * @source Worsch, Reussner, Augustin, "On benchmarking collective MPI operations", EuroPVM/MPI 2002
 */
final class ChainBroadcast implements Algorithm {
  @Override
  public String key() {
    return "chain";
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
    if (place > 0) {
      builder.receive(shape.absolute(place - 1), data).nextRound();
    }
    if (place < shape.size() - 1) {
      builder.send(shape.absolute(place + 1), data);
    }
    return builder.build();
  }
}
