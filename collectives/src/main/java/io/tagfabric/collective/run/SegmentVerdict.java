package io.tagfabric.collective.run;

/** Whether all have mapped the file, and so use it. */
record SegmentVerdict(boolean used) implements ControlMessage {}
