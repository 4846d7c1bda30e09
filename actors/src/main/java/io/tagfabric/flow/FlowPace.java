package io.tagfabric.flow;

/**
 * How often the flows of one endpoint ask their peers.
 *
 * @param maxPings flows that ask a silent peer at one moment; the others ask at the next
 * @param maxCongestedPings the same while a channel of the endpoint has no room for a packet
 */
public record FlowPace(int maxPings, int maxCongestedPings) {
  /** The numbers that hold where nothing is set. */
  public static final FlowPace DEFAULT = new FlowPace(128, 4);

  /** Checks that there is at least one ping. */
  public FlowPace {
    if (maxPings < 1 || maxCongestedPings < 1) {
      throw new IllegalArgumentException(
          "maxPings="
              + maxPings
              + " and maxCongestedPings="
              + maxCongestedPings
              + " must be at least 1, or a lost packet is never noticed");
    }
  }

  /** Flows that may ask at one moment. */
  public int pings(boolean congested) {
    return congested ? Math.min(maxPings, maxCongestedPings) : maxPings;
  }
}
