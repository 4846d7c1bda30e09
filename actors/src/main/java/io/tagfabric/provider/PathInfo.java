package io.tagfabric.provider;

/**
 * What one path of a channel has carried.
 *
 * @param path number of the path, from 0
 * @param packets taken by it
 * @param bytes of these
 * @param windows parts of long messages that began on it
 * @param refusals times it had no room
 * @param outstandingBytes taken and not acknowledged
 */
public record PathInfo(
    int path, long packets, long bytes, long windows, long refusals, long outstandingBytes) {}
