package io.tagfabric.collective.run;

/** Whether the sender has mapped the file it was offered. */
record SegmentAnswer(boolean mapped) implements ControlMessage {}
