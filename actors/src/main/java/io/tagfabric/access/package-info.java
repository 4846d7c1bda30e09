/**
 * What an endpoint does to memory of its peers: an {@link io.tagfabric.access.Access} says what,
 * {@link io.tagfabric.access.EndpointMemory} posts it, {@link io.tagfabric.access.MemoryFutures}
 * starts it with a future, {@link io.tagfabric.access.AccessRegion} ends many as one. The other
 * side of each is {@code memory.MemoryTarget}.
 *
 * <p>May import {@code receive}, {@code link} and what these use.
 *
 * @source libfabric fi_rma(3), fi_atomic(3); GASNet-EX, implicit operations
 */
package io.tagfabric.access;
