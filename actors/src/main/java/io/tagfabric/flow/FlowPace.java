package io.tagfabric.flow;

/**
 * How often the flows of one endpoint ask their peers: whether packets have come, and to be set up.
 *
 * @param maxPings flows that ask a silent peer at one moment; the others ask at the next
 * @param maxCongestedPings the same while a channel of the endpoint has no room for a packet
 * @param connectRetryMinNs after this a peer is asked a second time to set a flow up
 * @param connectRetryMaxNs the distance doubles up to this
 */
public record FlowPace(
    int maxPings, int maxCongestedPings, long connectRetryMinNs, long connectRetryMaxNs) {
  /** The numbers that hold where nothing is set. */
  public static final FlowPace DEFAULT = new FlowPace(128, 4, 50_000_000L, 1_000_000_000L);

  /** Checks that there is at least one ping, and that the distance can grow. */
  public FlowPace {
    if (maxPings < 1 || maxCongestedPings < 1) {
      throw new IllegalArgumentException(
          "maxPings="
              + maxPings
              + " and maxCongestedPings="
              + maxCongestedPings
              + " must be at least 1, or a lost packet is never noticed");
    }
    if (connectRetryMinNs < 1 || connectRetryMinNs > connectRetryMaxNs) {
      throw new IllegalArgumentException(
          "flow.connect-retry-min="
              + connectRetryMinNs
              + " ns must be above 0 and not above flow.connect-retry-max="
              + connectRetryMaxNs
              + " ns, lower the one or raise the other");
    }
  }

  /** Flows that may ask at one moment. */
  public int pings(boolean congested) {
    return congested ? Math.min(maxPings, maxCongestedPings) : maxPings;
  }
}
