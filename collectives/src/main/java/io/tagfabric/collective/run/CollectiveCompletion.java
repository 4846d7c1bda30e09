package io.tagfabric.collective.run;

import io.tagfabric.collective.algorithm.Collective;

/**
 * How a collective went, at one member.
 *
 * @param collective what it was
 * @param algorithm which way was chosen; of {@code two-level}, also the one between hosts
 * @param tier what carried it at this member: {@code messages}; {@code cell} for memory shared in
 *     one JVM; {@code shm} for memory shared on one host; {@code shm+messages} for both levels of a
 *     team on several hosts
 * @param segments pieces it was cut into
 * @param messages messages this member sent; a block beyond the longest message counts as one
 * @param bytes payload bytes this member sent
 * @param durationNs from its start at this member to its end
 */
public record CollectiveCompletion(
    Collective collective,
    String algorithm,
    String tier,
    int segments,
    int messages,
    long bytes,
    long durationNs) {}
