package io.tagfabric.collective.run;

import java.util.BitSet;

/**
 * A message of an {@link Agreement}.
 *
 * @param instance which agreement of the team
 * @param round of the sender; without meaning if decided
 * @param decided whether the sender has decided this
 * @param decision what it has heard, or decided
 * @param heard members whose proposals of the round before make up the decision; none if decided
 */
record Proposal(int instance, int round, boolean decided, Decision decision, BitSet heard)
    implements ControlMessage {
  Proposal {
    heard = (BitSet) heard.clone();
  }

  @Override
  public BitSet heard() {
    return (BitSet) heard.clone();
  }
}
