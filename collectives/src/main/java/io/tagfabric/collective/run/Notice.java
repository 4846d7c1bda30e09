package io.tagfabric.collective.run;

/**
 * A team can no longer do collectives.
 *
 * @param failure why
 */
record Notice(TeamFailure failure) implements ControlMessage {}
