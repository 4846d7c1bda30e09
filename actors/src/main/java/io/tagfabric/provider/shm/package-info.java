/**
 * The provider between JVMs of one host. Each domain has one file in memory with a ring that all
 * its peers write into; {@link io.tagfabric.provider.shm.ShmProvider} is the entry, {@link
 * io.tagfabric.provider.shm.ring.ShmLayout} says what stands where.
 *
 * <p>May import {@code address}, {@code cluster.host}, {@code cluster.job}, {@code
 * cluster.settings}, {@code error}, {@code progress}, {@code provider}, {@code provider.shm.ring},
 * {@code runtime} and {@code wire}, and Agrona.
 *
 * @source libfabric fi_shm(7)
 */
@InternalApi
package io.tagfabric.provider.shm;

import io.tagfabric.annotation.InternalApi;
