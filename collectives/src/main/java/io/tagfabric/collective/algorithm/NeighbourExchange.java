package io.tagfabric.collective.algorithm;

import io.tagfabric.collective.schedule.Memory;
import io.tagfabric.collective.schedule.Schedule;
import io.tagfabric.collective.schedule.ScheduleBuilder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Neighbour exchange: one step, a message along each edge, all under way at the same time. The n-th
 * message to a rank meets the n-th receive from it, so edges between the same ranks are told apart
 * by their order. An edge to the rank itself is a copy.
 *
 * @source MPI-4.1 §8.6 (neighbourhood collectives)
 */
final class NeighbourExchange implements Algorithm {
  @Override
  public String key() {
    return "linear";
  }

  @Override
  public Collective collective() {
    return Collective.NEIGHBOUR_EXCHANGE;
  }

  @Override
  public Schedule schedule(Shape shape) {
    ScheduleBuilder builder = new ScheduleBuilder(shape.rank(), shape.size());
    List<Integer> sources = shape.edges().sources();
    List<Integer> destinations = shape.edges().destinations();
    Deque<Integer> own = new ArrayDeque<>();
    for (int edge = 0; edge < sources.size(); edge++) {
      if (sources.get(edge) == shape.rank()) {
        own.add(edge);
      } else {
        builder.receive(sources.get(edge), shape.outputs().of(Memory.OUTPUT, edge));
      }
    }
    for (int edge = 0; edge < destinations.size(); edge++) {
      if (destinations.get(edge) != shape.rank()) {
        builder.send(destinations.get(edge), shape.inputs().of(Memory.INPUT, edge));
      }
    }
    for (int edge = 0; edge < destinations.size(); edge++) {
      if (destinations.get(edge) == shape.rank()) {
        builder.copy(
            shape.inputs().of(Memory.INPUT, edge), shape.outputs().of(Memory.OUTPUT, partner(own)));
      }
    }
    return builder.build();
  }

  private static int partner(Deque<Integer> own) {
    if (own.isEmpty()) {
      throw new IllegalArgumentException(
          "the rank is more often among its destinations than among its sources, name it equally"
              + " often");
    }
    return own.remove();
  }
}
