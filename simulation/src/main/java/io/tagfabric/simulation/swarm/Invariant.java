package io.tagfabric.simulation.swarm;

import java.util.Locale;

/** What must hold in every run. */
public enum Invariant {
  /** Each accepted operation ends exactly once. */
  ONCE,
  /** An operation fails only for something that has happened. */
  CAUSE,
  /** Messages of one sender are matched in the order of sending, receives in that of posting. */
  ORDER,
  /** Every byte is the sender's, and none is written beside a receive or after its end. */
  BYTES,
  /** A message is matched by at most one receive, which wants it. */
  MATCH,
  /** What was meant for an endpoint that was there before is not taken for an endpoint's own. */
  IDENTITY,
  /** A key to memory opens the bytes that it names, and nothing when it was revoked. */
  MEMORY,
  /** Messages that wait take no more memory than the budget; queues no more than their slots. */
  BUDGET,
  /** Counters tell the sum of what the ends of operations have told. */
  COUNTED,
  /** Packets are sent again only so often. */
  LOAD,
  /** Collectives give all members the right result, in order. */
  COLLECTIVE,
  /** Members that are alive agree. */
  AGREEMENT,
  /** Nodes that both have a fabric speak by it. */
  FABRIC,
  /** All ranks end, with one code. */
  EXIT,
  /** When the faults are over, everything comes to its end. */
  LIVENESS,
  /** At the end nothing is left. */
  LEFTOVER,
  /** No code throws where it must not, no endpoint closes by itself. */
  DEFECT,
  /** Two runs of one seed are the same. */
  DETERMINISM;

  /** As in reports. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
