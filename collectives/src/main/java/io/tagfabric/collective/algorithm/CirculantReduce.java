package io.tagfabric.collective.algorithm;

import io.tagfabric.collective.schedule.Blocks;
import io.tagfabric.collective.schedule.Memory;
import io.tagfabric.collective.schedule.Schedule;
import io.tagfabric.collective.schedule.ScheduleBuilder;
import io.tagfabric.collective.schedule.Slice;

/**
 * Reduce of long vectors: {@link CirculantBroadcast} backwards, where what a rank would receive it
 * sends, combined with all it has received for that block. {@code b - 1 + ceil(lg p)} steps, and no
 * rank sends more than the vector once. Contributions do not come in rank order.
 *
 * @source Träff, "Fast(er) construction of round-optimal n-block broadcast schedules", CLUSTER 2022
 */
final class CirculantReduce implements Algorithm {
  @Override
  public String key() {
    return "circulant";
  }

  @Override
  public Collective collective() {
    return Collective.REDUCE;
  }

  @Override
  public boolean keepsOrder() {
    return false;
  }

  /** What the partners after a rank receive, by the kind of the round: one array for each kind. */
  static int[][] ofPartners(Circulant ways, int place, int size) {
    int kinds = Math.max(1, PowersOfTwo.ceilingLog(size));
    int[][] received = new int[kinds][];
    for (int kind = 0; kind < Math.min(kinds, ways.rounds()); kind++) {
      received[kind] = ways.received((place + ways.skip(kind)) % size);
    }
    return received;
  }

  @Override
  public Schedule schedule(Shape shape) {
    ScheduleBuilder builder = new ScheduleBuilder(shape.rank(), shape.size());
    int number = CirculantBroadcast.blocks(shape.size(), shape.count());
    Circulant ways = new Circulant(shape.size(), number);
    Blocks blocks = Blocks.split(shape.count(), number);
    int place = shape.relative();
    Memory sum = Memory.OUTPUT;
    if (place != 0) {
      builder.scratch(shape.count());
      sum = Memory.SCRATCH;
    }
    Slice incoming = builder.scratch(blocks.length(0));
    boolean[] combined = new boolean[number];
    int[] sent = ways.received(place);
    int[][] theirs = ofPartners(ways, place, shape.size());
    for (int round = ways.rounds() - 1; round >= 0; round--) {
      int skip = ways.skip(round);
      int taken = theirs[round % theirs.length][round];
      if (sent[round] >= 0) {
        Memory from = combined[sent[round]] ? sum : Memory.INPUT;
        int to = shape.absolute(Math.floorMod(place - skip, shape.size()));
        builder.send(to, blocks.of(from, sent[round]));
      }
      if (taken >= 0) {
        Slice into = incoming.part(0, blocks.length(taken));
        builder
            .receive(shape.absolute((place + skip) % shape.size()), into)
            .reduce(
                blocks.of(combined[taken] ? sum : Memory.INPUT, taken),
                into,
                blocks.of(sum, taken));
        combined[taken] = true;
      }
      builder.nextRound();
    }
    if (shape.size() == 1) {
      builder.copy(Memory.INPUT.slice(0, shape.count()), Memory.OUTPUT.slice(0, shape.count()));
    }
    return builder.build();
  }
}
