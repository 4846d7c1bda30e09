package io.tagfabric.collective.algorithm;

import io.tagfabric.collective.schedule.Blocks;
import io.tagfabric.collective.schedule.Memory;
import io.tagfabric.collective.schedule.Schedule;
import io.tagfabric.collective.schedule.ScheduleBuilder;
import io.tagfabric.collective.schedule.Slice;
import java.util.ArrayList;
import java.util.List;

/**
 * Allgather of blocks of any lengths: all ranks broadcast at the same time along the ways of a
 * {@link Circulant}, in one message a step. {@code ceil(lg p)} steps; a rank sends {@code p - 1}
 * blocks, and no step waits for the longest block more than once.
 *
 * @source Träff, "(Poly)Logarithmic time construction of round-optimal n-block broadcast schedules
 *     for broadcast and irregular allgather in MPI", 2022
 */
final class CirculantAllgather implements Algorithm {
  @Override
  public String key() {
    return "circulant";
  }

  @Override
  public Collective collective() {
    return Collective.ALLGATHER;
  }

  @Override
  public Schedule schedule(Shape shape) {
    int size = shape.size();
    ScheduleBuilder builder = new ScheduleBuilder(shape.rank(), size);
    Blocks blocks = shape.outputs();
    Circulant ways = new Circulant(size, 1);
    Slice outgoing = builder.scratch(Math.toIntExact(blocks.total()));
    Slice incoming = builder.scratch(Math.toIntExact(blocks.total()));
    builder.copy(Memory.INPUT.slice(0, shape.count()), blocks.of(Memory.OUTPUT, shape.rank()));
    for (int round = 0; round < ways.rounds(); round++) {
      int to = shape.after(ways.skip(round));
      int from = shape.after(-ways.skip(round));
      List<Integer> distances = distances(ways, size, round);
      int given = 0;
      for (int distance : distances) {
        Slice block = blocks.of(Memory.OUTPUT, Math.floorMod(to - distance, size));
        builder.copy(block, outgoing.part(given, block.length()));
        given += block.length();
      }
      int taken = 0;
      for (int distance : distances) {
        taken += blocks.length(shape.after(-distance));
      }
      builder.send(to, outgoing.part(0, given)).receive(from, incoming.part(0, taken));
      int at = 0;
      for (int distance : distances) {
        Slice block = blocks.of(Memory.OUTPUT, shape.after(-distance));
        builder.copy(incoming.part(at, block.length()), block);
        at += block.length();
      }
      builder.nextRound();
    }
    return builder.build();
  }

  /** How far behind a receiver the ranks are whose blocks it gets in a round. */
  private static List<Integer> distances(Circulant ways, int size, int round) {
    List<Integer> distances = new ArrayList<>();
    for (int distance = 1; distance < size; distance++) {
      if (ways.received(distance)[round] >= 0) {
        distances.add(distance);
      }
    }
    return distances;
  }
}
