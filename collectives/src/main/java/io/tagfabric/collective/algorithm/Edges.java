package io.tagfabric.collective.algorithm;

import java.util.List;

/**
 * A rank's neighbours, in the order of its blocks. A rank may be there several times, and may be
 * its own neighbour: then the n-th edge to it meets its n-th edge from here.
 *
 * @param destinations ranks it sends to
 * @param sources ranks it receives from
 * @source MPI-4.1 §8.6 (neighbourhood collectives)
 */
public record Edges(List<Integer> destinations, List<Integer> sources) {
  public Edges {
    destinations = List.copyOf(destinations);
    sources = List.copyOf(sources);
  }

  /** The same ranks both ways. */
  public static Edges both(List<Integer> neighbours) {
    return new Edges(neighbours, neighbours);
  }
}
