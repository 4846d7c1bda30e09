/**
 * Collectives of members on one host that meet in a mapped file: {@link
 * io.tagfabric.collective.host.SharedBoard} moves one member through a {@link
 * io.tagfabric.collective.host.SharedWork}, stage by stage. Plain Java; may import {@code
 * collective.algorithm}, {@code collective.reduce} and {@code collective.schedule}.
 *
 * <p>Source: Graham, Shipman, "MPI support for multi-core architectures: optimized shared memory
 * collectives", EuroPVM/MPI 2008; Hashmi and others, "XHC", IPDPS 2022.
 */
@InternalApi
package io.tagfabric.collective.host;

import io.tagfabric.annotation.InternalApi;
