package io.tagfabric.flow.window;

/**
 * The pace of all flows of one endpoint: how often they ask their peers, whether packets have come
 * and to be set up, and how many packets they have under way together.
 *
 * @param maxPings flows that ask a silent peer at one moment; the others ask at the next
 * @param maxCongestedPings the same while a channel of the endpoint has no room for a packet
 * @param connectRetryMinNs after this a peer is asked a second time to set a flow up
 * @param connectRetryMaxNs the distance doubles up to this
 * @param windowPacketsTotal packets that are unacknowledged in all flows together, over channels
 *     that may lose packets; 0 for as many as the windows of the flows allow
 */
public record FlowPace(
    int maxPings,
    int maxCongestedPings,
    long connectRetryMinNs,
    long connectRetryMaxNs,
    int windowPacketsTotal) {
  /** The numbers that hold where nothing is set. */
  public static final FlowPace DEFAULT = new FlowPace(128, 4, 50_000_000L, 1_000_000_000L, 0);

  /** Checks that there is at least one ping, that the distance can grow, and the total's sign. */
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
    if (windowPacketsTotal < 0) {
      throw new IllegalArgumentException(
          "windowPacketsTotal=" + windowPacketsTotal + " must not be negative, 0 is no limit");
    }
  }

  /** Flows that may ask at one moment. */
  public int pings(boolean congested) {
    return congested ? Math.min(maxPings, maxCongestedPings) : maxPings;
  }
}
