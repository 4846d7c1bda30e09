package io.tagfabric.trials.fuzz;

/** What has been done and what came of it, over one provider. Thread: one. */
final class FuzzCounts {
  long sent;
  long reached;
  long strangers;
  long malformed;
  long brokenRules;
  long attackers;
  long friendRoundTrips;
  long operations;
  long rounds;
  long laneWrites;
  long lanesCutOff;
  long dials;
  long dialsCutOff;
  long records;

  FuzzCounts plus(FuzzCounts other) {
    FuzzCounts sum = new FuzzCounts();
    sum.sent = sent + other.sent;
    sum.reached = reached + other.reached;
    sum.strangers = strangers + other.strangers;
    sum.malformed = malformed + other.malformed;
    sum.brokenRules = brokenRules + other.brokenRules;
    sum.attackers = attackers + other.attackers;
    sum.friendRoundTrips = friendRoundTrips + other.friendRoundTrips;
    sum.operations = operations + other.operations;
    sum.rounds = rounds + other.rounds;
    sum.laneWrites = laneWrites + other.laneWrites;
    sum.lanesCutOff = lanesCutOff + other.lanesCutOff;
    sum.dials = dials + other.dials;
    sum.dialsCutOff = dialsCutOff + other.dialsCutOff;
    sum.records = records + other.records;
    return sum;
  }

  /** Percentage of the packets and records sent that were accepted by a flow and handed on. */
  double reachedPercent() {
    return sent == 0 ? 0 : 100.0 * reached / sent;
  }
}
