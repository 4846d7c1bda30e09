package io.tagfabric.collective.run;

/**
 * A message of an {@link Agreement}.
 *
 * @param instance which agreement of the team
 * @param round of the sender; without meaning if decided
 * @param decided whether the sender has decided this
 * @param verdict what it has heard, or decided
 */
record Proposal(int instance, int round, boolean decided, Verdict verdict)
    implements ControlMessage {}
