/**
 * Which hosts a job runs on, which rank goes where, and how a command gets there.
 *
 * <p>Entry: {@link io.tagfabric.launch.hosts.HostPlan}. Plain values; may import {@code
 * cluster.settings}.
 */
package io.tagfabric.launch.hosts;
