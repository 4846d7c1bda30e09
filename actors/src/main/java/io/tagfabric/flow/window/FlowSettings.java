package io.tagfabric.flow.window;

import io.tagfabric.cluster.settings.RecordCopy;
import java.util.Map;

/**
 * The numbers of a flow.
 *
 * @param sizes how a message travels by its length
 * @param sizesByProvider the same where a provider differs, by its name
 * @param eagerCreditBytes eager payload a sender may have at a receiver that has not matched it
 * @param unexpectedBudgetBytes the same of all senders of an endpoint together
 * @param messageCredits messages, eager or asking, a sender may have there
 * @param windowPackets packets in flight without acknowledgement
 * @param windowBytes the same in bytes
 * @param acknowledgeEvery the receiver acknowledges unasked after that many packets
 * @param pingNs silence with data unacknowledged after which the sender asks
 * @param maxPingNs pings double their distance up to this
 * @param replayPackets packets sent again for one report of missing ones, and parked by a receiver
 * @param peerTimeoutNs silence after which an asked peer is lost, unless membership knows better
 * @param connectTimeoutNs how long a flow may take to be set up
 * @param pace how often the flows of an endpoint ask
 */
public record FlowSettings(
    SizeClasses sizes,
    Map<String, SizeClasses> sizesByProvider,
    long eagerCreditBytes,
    long unexpectedBudgetBytes,
    int messageCredits,
    int windowPackets,
    long windowBytes,
    int acknowledgeEvery,
    long pingNs,
    long maxPingNs,
    int replayPackets,
    long peerTimeoutNs,
    long connectTimeoutNs,
    FlowPace pace) {
  public FlowSettings {
    sizesByProvider = Map.copyOf(sizesByProvider);
    require(
        acknowledgeEvery < windowPackets,
        "acknowledgeEvery",
        acknowledgeEvery,
        "windowPackets",
        windowPackets);
    require(
        sizes.eagerLimitBytes() <= eagerCreditBytes,
        "eagerLimitBytes",
        sizes.eagerLimitBytes(),
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

  /** Longest message that travels in one frame without asking, unless a provider differs. */
  public int eagerLimitBytes() {
    return sizes.eagerLimitBytes();
  }

  /** The same numbers for a flow over one provider. */
  public FlowSettings over(String provider) {
    SizeClasses own = sizesByProvider.get(provider);
    return own == null ? this : withSizes(own);
  }

  /** The same with other size classes, for every provider. */
  public FlowSettings withSizes(SizeClasses newSizes) {
    return RecordCopy.with(this, "sizes", newSizes, "sizesByProvider", Map.of());
  }

  /** The same with other credit for one sender. */
  public FlowSettings withCredit(long newEagerCreditBytes, int newMessageCredits) {
    return RecordCopy.with(
        this, "eagerCreditBytes", newEagerCreditBytes, "messageCredits", newMessageCredits);
  }
}
