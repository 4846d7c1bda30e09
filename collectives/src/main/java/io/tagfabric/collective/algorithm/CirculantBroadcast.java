package io.tagfabric.collective.algorithm;

import io.tagfabric.collective.schedule.Blocks;
import io.tagfabric.collective.schedule.Memory;
import io.tagfabric.collective.schedule.Schedule;
import io.tagfabric.collective.schedule.ScheduleBuilder;

/**
 * Broadcast of long vectors in b blocks along the ways of a {@link Circulant}: {@code b - 1 +
 * ceil(lg p)} steps, the fewest there can be, for any p; {@code p - 1} messages of each block.
 *
 * @source Träff, "Fast(er) construction of round-optimal n-block broadcast schedules", CLUSTER 2022
 */
final class CirculantBroadcast implements Algorithm {
  /** A message costs about as much as so many elements of it. */
  private static final int ELEMENTS_A_MESSAGE = 4096;

  @Override
  public String key() {
    return "circulant";
  }

  @Override
  public Collective collective() {
    return Collective.BROADCAST;
  }

  /** As many blocks as make messages and elements cost the same, at least as many as ways. */
  static int blocks(int size, int count) {
    int ways = PowersOfTwo.ceilingLog(size);
    double even = Math.sqrt((double) count * Math.max(0, ways - 1) / ELEMENTS_A_MESSAGE);
    return Math.max(1, Math.min(count, Math.max(ways, (int) even)));
  }

  @Override
  public Schedule schedule(Shape shape) {
    ScheduleBuilder builder = new ScheduleBuilder(shape.rank(), shape.size());
    Circulant ways = new Circulant(shape.size(), blocks(shape.size(), shape.count()));
    Blocks blocks = Blocks.split(shape.count(), blocks(shape.size(), shape.count()));
    int place = shape.relative();
    int[] received = ways.received(place);
    int[][] theirs = CirculantReduce.ofPartners(ways, place, shape.size());
    for (int round = 0; round < ways.rounds(); round++) {
      int skip = ways.skip(round);
      int given = theirs[round % theirs.length][round];
      if (given >= 0) {
        int to = shape.absolute((place + skip) % shape.size());
        builder.send(to, blocks.of(Memory.OUTPUT, given));
      }
      if (received[round] >= 0) {
        int from = shape.absolute(Math.floorMod(place - skip, shape.size()));
        builder.receive(from, blocks.of(Memory.OUTPUT, received[round]));
      }
      builder.nextRound();
    }
    return builder.build();
  }
}
