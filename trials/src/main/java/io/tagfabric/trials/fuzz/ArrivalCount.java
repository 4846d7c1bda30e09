package io.tagfabric.trials.fuzz;

import io.tagfabric.endpoint.Endpoint;
import java.util.concurrent.CompletableFuture;

/**
 * Asks the victim now and then what has come of all that was sent to it: its flows count what their
 * services have taken, and the endpoint what it has dropped. Thread: one.
 */
final class ArrivalCount {
  private static final int STEPS_PER_LOOK = 64;

  private final Endpoint victim;
  private final long friendIncarnation;
  private final FuzzCounts counts;
  private final long reachedBefore;
  private final long strangersBefore;
  private final long malformedBefore;
  private CompletableFuture<Endpoint.Flows> asked;
  private int steps;

  /**
   * @param friendIncarnation whose packets do not count
   * @param counts of earlier victims too
   */
  ArrivalCount(Endpoint victim, long friendIncarnation, FuzzCounts counts) {
    this.victim = victim;
    this.friendIncarnation = friendIncarnation;
    this.counts = counts;
    reachedBefore = counts.reached;
    strangersBefore = counts.strangers;
    malformedBefore = counts.malformed;
  }

  /** Asks, if it is time to, and takes the answer. */
  void step() {
    if (isAnswered() && ++steps % STEPS_PER_LOOK == 0) {
      ask();
    }
  }

  /** Asks; {@link #isAnswered} says when the counts are of now. */
  void ask() {
    asked = victim.futures().flows().toCompletableFuture();
  }

  /** Takes the answer, if there is one; whether nothing is asked any more. */
  boolean isAnswered() {
    if (asked != null && asked.isDone()) {
      take(asked.join());
      asked = null;
    }
    return asked == null;
  }

  private void take(Endpoint.Flows flows) {
    counts.strangers = strangersBefore + flows.strangerPackets();
    counts.reached = reachedBefore;
    counts.malformed = malformedBefore;
    for (Endpoint.FlowInfo flow : flows.flows()) {
      counts.malformed += flow.counters().packetsMalformed();
      if (flow.address().incarnation() != friendIncarnation) {
        counts.reached += flow.counters().packetsTaken() + flow.counters().messagesTaken();
      }
    }
  }
}
