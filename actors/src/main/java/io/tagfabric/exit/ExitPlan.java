package io.tagfabric.exit;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.cluster.job.CodePolicy;

/**
 * What an {@link ExitProtocol} knows at its start.
 *
 * @param rank this one
 * @param size number of ranks
 * @param policy which of several codes wins
 * @param timeoutNs T: how long a reduction may take, and how long the election and the order to end
 *     together may
 * @param hooksNs how long exit hooks may take
 * @param againNs after which an unanswered message is sent again
 * @param abortOnLoss whether a rank begins to end the job T after another was lost
 */
@InternalApi
public record ExitPlan(
    int rank,
    int size,
    CodePolicy policy,
    long timeoutNs,
    long hooksNs,
    long againNs,
    boolean abortOnLoss) {
  /** How long a rank asks the same elector. */
  long electorNs() {
    return timeoutNs / 8;
  }

  /**
   * When a leader that prepares orders at the latest: it waits for answers as long as it can, and
   * leaves a quarter of T for the order.
   */
  long preparedNs(long nowNs, long finalNs) {
    return Math.max(
        nowNs + timeoutNs / 8, Math.min(nowNs + timeoutNs / 2, finalNs - timeoutNs / 4));
  }

  /** A rank that misses a time by more has been held up. */
  long lateNs() {
    return timeoutNs / 32;
  }

  /** How long the election may take before a rank elects itself. */
  long electionNs() {
    return timeoutNs / 2;
  }
}
