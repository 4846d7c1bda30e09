/**
 * Which hosts a job runs on, which rank goes where, and how a command gets there.
 *
 * <p>Entry: {@link io.tagfabric.cluster.hosts.HostPlan}. Plain values; may import {@code settings}.
 */
@InternalApi
package io.tagfabric.cluster.hosts;

import io.tagfabric.annotation.InternalApi;
