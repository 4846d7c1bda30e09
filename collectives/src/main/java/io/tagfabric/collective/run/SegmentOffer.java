package io.tagfabric.collective.run;

/**
 * The sender has made a file in which the members meet; map it and say so.
 *
 * @param token by which it is known
 */
record SegmentOffer(long token, String path) implements ControlMessage {}
