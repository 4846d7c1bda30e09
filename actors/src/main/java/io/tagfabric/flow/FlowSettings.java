package io.tagfabric.flow;

/**
 * The numbers of a flow.
 *
 * @param eagerLimitBytes longest message that travels without asking
 * @param eagerCreditBytes eager payload a sender may have at a receiver that has not matched it
 * @param messageCredits messages, eager or asking, a sender may have there
 * @param windowPackets packets in flight without acknowledgement
 * @param windowBytes the same in bytes
 * @param acknowledgeEvery the receiver acknowledges unasked after that many packets
 * @param pingNs silence with data unacknowledged after which the sender asks
 * @param maxPingNs pings double their distance up to this
 * @param replayPackets packets sent again for one report of missing ones, and parked by a receiver
 * @param peerTimeoutNs silence after which an asked peer is lost, unless membership knows better
 * @param connectTimeoutNs how long a flow may take to be set up
 */
public record FlowSettings(
    int eagerLimitBytes,
    long eagerCreditBytes,
    int messageCredits,
    int windowPackets,
    long windowBytes,
    int acknowledgeEvery,
    long pingNs,
    long maxPingNs,
    int replayPackets,
    long peerTimeoutNs,
    long connectTimeoutNs) {
  public FlowSettings {
    require(
        acknowledgeEvery < windowPackets,
        "acknowledgeEvery",
        acknowledgeEvery,
        "windowPackets",
        windowPackets);
    require(
        eagerLimitBytes <= eagerCreditBytes,
        "eagerLimitBytes",
        eagerLimitBytes,
        "eagerCreditBytes",
        eagerCreditBytes);
    require(pingNs <= maxPingNs, "pingNs", pingNs, "maxPingNs", maxPingNs);
  }

  private static void require(boolean holds, String name, long value, String than, long limit) {
    if (!holds) {
      throw new IllegalArgumentException(
          name + "=" + value + " is too large for " + than + "=" + limit);
    }
  }
}
