package io.tagfabric.simulation.swarm;

import io.tagfabric.simulation.choice.Site;
import java.util.List;
import java.util.Map;

/**
 * What runs are made of that no seed draws.
 *
 * @param ranks nodes of a run
 * @param operations of each program
 * @param policy who decides which participant takes the next turn
 * @param forcedPerMille sites whose probability, in thousandths, is not drawn
 * @param events things that happen for certain
 */
public record SwarmOptions(
    int ranks,
    int operations,
    Scheduling policy,
    Map<Site, Integer> forcedPerMille,
    List<Event> events) {
  /** How turns are given. */
  public enum Scheduling {
    /** Half of the seeds by chance alone, half by priorities. */
    BOTH,
    /** By chance alone. */
    UNIFORM,
    /** By priorities that change now and then. */
    PCT
  }

  /**
   * Something that happens to nodes at a time.
   *
   * @param site CRASH or PARTITION
   * @param ranks to which
   * @param atNs virtual time since the beginning; negative if the seed draws it
   */
  public record Event(Site site, List<Integer> ranks, long atNs) {
    public Event {
      ranks = List.copyOf(ranks);
    }
  }

  /** Three ranks of 200 operations; the seed draws the rest. */
  public static final SwarmOptions DEFAULT =
      new SwarmOptions(3, 200, Scheduling.BOTH, Map.of(), List.of());

  public SwarmOptions {
    forcedPerMille = Map.copyOf(forcedPerMille);
    events = List.copyOf(events);
    if (ranks < 1 || operations < 0) {
      throw new IllegalArgumentException(
          "ranks=" + ranks + " < 1 or operations=" + operations + " < 0");
    }
  }
}
