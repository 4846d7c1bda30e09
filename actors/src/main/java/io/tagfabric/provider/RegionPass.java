package io.tagfabric.provider;

import io.tagfabric.annotation.InternalApi;

/**
 * What those who access a region themselves must keep to.
 *
 * @param key of the region
 * @param length bytes of it
 * @param rights their bits, as descriptors have them
 * @param writable whether peers may write it: if not, it may be mapped to be read only
 */
@InternalApi
public record RegionPass(long key, long length, int rights, boolean writable) {}
