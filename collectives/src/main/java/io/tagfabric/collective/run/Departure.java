package io.tagfabric.collective.run;

/**
 * The sender has closed its handle of the team.
 *
 * @param calls collectives it has started and completed before; it takes part in no later one
 */
record Departure(long calls) implements ControlMessage {}
