/**
 * Records in memory that two processes have mapped. {@link
 * io.tagfabric.provider.shm.ring.ShmLayout} says what stands where. A sender has an entry, {@link
 * io.tagfabric.provider.shm.ring.ShmEntry}, and writes through it into its lane, which it alone
 * writes, or into the ring that all senders share; {@link
 * io.tagfabric.provider.shm.ring.ShmSenders} finds what senders that were killed have left.
 *
 * <p>May import {@code progress} and {@code wire}, and Agrona.
 *
 * @source libfabric fi_shm(7)
 */
@InternalApi
package io.tagfabric.provider.shm.ring;

import io.tagfabric.annotation.InternalApi;
