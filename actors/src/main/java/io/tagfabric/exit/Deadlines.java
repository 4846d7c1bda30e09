package io.tagfabric.exit;

/** When an {@link ExitProtocol} has to do something by itself, in ns of its owner's clock. */
final class Deadlines {
  static final long NEVER = Long.MAX_VALUE;

  /** End of the phase. */
  long phaseNs = NEVER;

  /** End of everything. */
  long finalNs = NEVER;

  /** When this rank elects itself. */
  long electionNs = NEVER;

  /** When unanswered messages are sent again. */
  long againNs = NEVER;

  /** When this rank takes up what another has begun, or has died of. */
  long takeUpNs = NEVER;

  /** When this rank begins to end the job because another was lost. */
  long abortNs = NEVER;

  long nextNs() {
    return Math.min(Math.min(phaseNs, finalNs), Math.min(againNs, beginNs()));
  }

  /** When a rank that runs begins to end the job by itself. */
  long beginNs() {
    return Math.min(takeUpNs, abortNs);
  }

  /** Whether a time has passed at which this rank would have done something about the others. */
  boolean areMissed(long nowNs) {
    return Math.min(Math.min(phaseNs, finalNs), beginNs()) <= nowNs;
  }

  /** Nothing of that happens before a time. */
  void postpone(long toNs) {
    phaseNs = Math.max(phaseNs, toNs);
    finalNs = Math.max(finalNs, toNs);
    takeUpNs = Math.max(takeUpNs, toNs);
    abortNs = Math.max(abortNs, toNs);
  }

  /** The end is decided. */
  void clear() {
    phaseNs = NEVER;
    finalNs = NEVER;
    againNs = NEVER;
    takeUpNs = NEVER;
    abortNs = NEVER;
  }
}
