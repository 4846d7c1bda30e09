package io.tagfabric.collective.algorithm;

import io.tagfabric.collective.schedule.Memory;
import io.tagfabric.collective.schedule.Schedule;
import io.tagfabric.collective.schedule.ScheduleBuilder;
import io.tagfabric.collective.schedule.Slice;

/**
 * Scan along a tree: in step k a rank exchanges what its group of {@code 2^k} ranks has in all with
 * the one whose number differs in bit k; what comes from below also goes into its own result.
 * {@code ceil(lg p)} steps, a message of n elements to each partner there is. Groups are ranks side
 * by side, so rank order is kept.
 *
 * <p>Exclusive, rank 0 gets no result: its output is not written.
 *
 * @source MPI-4.1 §6.11; Hillis, Steele, "Data parallel algorithms", CACM 29(12), 1986
 */
final class RecursiveDoublingScan implements Algorithm {
  private final boolean exclusive;

  RecursiveDoublingScan(boolean exclusive) {
    this.exclusive = exclusive;
  }

  @Override
  public String key() {
    return "recursive-doubling";
  }

  @Override
  public Collective collective() {
    return exclusive ? Collective.EXSCAN : Collective.SCAN;
  }

  @Override
  public Schedule schedule(Shape shape) {
    ScheduleBuilder builder = new ScheduleBuilder(shape.rank(), shape.size());
    Slice input = Memory.INPUT.slice(0, shape.count());
    Slice output = Memory.OUTPUT.slice(0, shape.count());
    Slice group = builder.scratch(shape.count());
    Slice received = builder.scratch(shape.count());
    boolean hasResult = !exclusive;
    builder.copy(input, group);
    if (!exclusive) {
      builder.copy(input, output);
    }
    for (int mask = 1; mask < shape.size(); mask <<= 1) {
      int partner = shape.rank() ^ mask;
      if (partner >= shape.size()) {
        continue;
      }
      builder.send(partner, group).receive(partner, received);
      if (partner > shape.rank()) {
        builder.reduce(group, received, group);
      } else {
        builder.reduce(received, group, group);
        if (hasResult) {
          builder.reduce(received, output, output);
        } else {
          builder.copy(received, output);
        }
        hasResult = true;
      }
      builder.nextRound();
    }
    return builder.build();
  }
}
