package io.tagfabric.collective.run;

/** There is something to do in the shared memory; the message itself says nothing. */
record Wake() implements ControlMessage {}
