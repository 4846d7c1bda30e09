package io.tagfabric.memory;

/**
 * What has been done with a region so far.
 *
 * @param reads that were accepted
 * @param readBytes that have left
 * @param writes that were placed whole
 * @param writtenBytes that were placed
 * @param atomics updates, fetches and comparisons, of one element or of many
 * @param signals that were raised
 * @param refused accesses that its bounds or rights have refused, or its close has cut off
 */
public record RegionCounters(
    long reads,
    long readBytes,
    long writes,
    long writtenBytes,
    long atomics,
    long signals,
    long refused) {}
