package io.tagfabric.flow.window;

import io.tagfabric.cluster.settings.RecordCopy;

/**
 * Limits of an endpoint's active messages.
 *
 * @param credits requests of one peer that may be under way here: those whose handlers have not
 *     returned, or not replied
 * @param creditsTotal requests of this side that may be under way together; 0 for as many as the
 *     peers allow
 * @param slack credits that this side keeps for a packet to ride in; one more leaves at once
 * @param maxMediumBytes longest payload
 * @param packedLongBytes longest payload of a long request that travels with it
 * @param replyTimeoutNs how long a request that was kept may wait for its reply
 */
public record ActiveSettings(
    int credits,
    int creditsTotal,
    int slack,
    int maxMediumBytes,
    int packedLongBytes,
    long replyTimeoutNs) {
  /** Requires a credit, and no more slack than leaves the peer one. */
  public ActiveSettings {
    if (credits < 1 || creditsTotal < 0 || slack < 0 || maxMediumBytes < 0 || packedLongBytes < 0) {
      throw new IllegalArgumentException(
          "credits="
              + credits
              + " creditsTotal="
              + creditsTotal
              + " slack="
              + slack
              + " maxMediumBytes="
              + maxMediumBytes
              + " packedLongBytes="
              + packedLongBytes
              + ", give a credit and nothing negative");
    }
    slack = Math.min(slack, credits - 1);
  }

  /** The same with other credits of a peer and in total. */
  public ActiveSettings withCredits(int newCredits, int newTotal, int newSlack) {
    return RecordCopy.with(
        this, "credits", newCredits, "creditsTotal", newTotal, "slack", newSlack);
  }

  /** The same with another time for replies. */
  public ActiveSettings withReplyTimeoutNs(long newTimeoutNs) {
    return RecordCopy.with(this, "replyTimeoutNs", newTimeoutNs);
  }
}
