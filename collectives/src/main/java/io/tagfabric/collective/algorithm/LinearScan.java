package io.tagfabric.collective.algorithm;

import io.tagfabric.collective.schedule.Memory;
import io.tagfabric.collective.schedule.Schedule;
import io.tagfabric.collective.schedule.ScheduleBuilder;
import io.tagfabric.collective.schedule.Slice;

/**
 * Scan along a chain: each rank adds its own to what it gets from the one before it and passes that
 * on. {@code p - 1} steps, {@code p - 1} messages of n elements. Cut into segments, which follow
 * one another, it is the best for long vectors.
 *
 * <p>Exclusive, rank 0 gets no result: its output is not written.
 *
 * @source MPI-4.1 §6.11
 */
final class LinearScan implements Algorithm {
  private final boolean exclusive;

  LinearScan(boolean exclusive) {
    this.exclusive = exclusive;
  }

  @Override
  public String key() {
    return "linear";
  }

  @Override
  public Collective collective() {
    return exclusive ? Collective.EXSCAN : Collective.SCAN;
  }

  @Override
  public boolean pipelined() {
    return true;
  }

  @Override
  public Schedule schedule(Shape shape) {
    ScheduleBuilder builder = new ScheduleBuilder(shape.rank(), shape.size());
    Slice input = Memory.INPUT.slice(0, shape.count());
    Slice output = Memory.OUTPUT.slice(0, shape.count());
    Slice sum = input;
    boolean isLast = shape.rank() == shape.size() - 1;
    if (shape.rank() > 0) {
      Slice before = exclusive ? output : builder.scratch(shape.count());
      builder.receive(shape.rank() - 1, before);
      if (!exclusive || !isLast) {
        sum = exclusive ? builder.scratch(shape.count()) : output;
        builder.reduce(before, input, sum);
      }
    } else if (!exclusive) {
      builder.copy(input, output);
    }
    if (!isLast) {
      builder.nextRound().send(shape.rank() + 1, sum);
    }
    return builder.build();
  }
}
