/**
 * The front door: {@link io.tagfabric.fabric.Fabric}, an extension of one ActorSystem, opens {@link
 * io.tagfabric.fabric.Domain}s, a domain opens endpoints and completion queues.
 *
 * <p>Source: libfabric fi_fabric(3), fi_domain(3).
 */
package io.tagfabric.fabric;
