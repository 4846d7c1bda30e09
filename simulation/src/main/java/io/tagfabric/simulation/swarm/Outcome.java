package io.tagfabric.simulation.swarm;

import io.tagfabric.simulation.choice.ChoiceRecord;
import io.tagfabric.simulation.choice.TraceHash;

/**
 * How a run has ended.
 *
 * @param seed of the run; of a replayed record the seed it came from
 * @param violation what did not hold, null if everything did
 * @param turns given by the scheduler
 * @param events packets, operations and their ends
 * @param virtualNs how long it took on the virtual clock
 * @param hash of all that happened
 * @param choices the numbers that decided it
 * @param mix what the seed has drawn for the run, for people
 * @param sites the faults it has armed, for people
 * @param probes rare things it has met
 */
public record Outcome(
    long seed,
    Violation violation,
    long turns,
    long events,
    long virtualNs,
    TraceHash hash,
    ChoiceRecord choices,
    String mix,
    String sites,
    Probes probes) {
  /** Whether another run has violated the same invariant. */
  public boolean failsLike(Outcome other) {
    return violation != null
        && other.violation != null
        && violation.invariant() == other.violation.invariant();
  }

  /**
   * Whether another run has violated the same invariant and done no more until then. A run with
   * fewer choices may do more: where they are missing, the plainest are taken for ever.
   */
  boolean failsAsSoon(Outcome other) {
    return failsLike(other) && other.turns <= turns && other.events <= events;
  }
}
