/**
 * The peers: {@link io.tagfabric.address.EndpointAddress} says where an endpoint is, {@link
 * io.tagfabric.address.AddressTable} gives peers their index.
 *
 * <p>Plain Java. Source: libfabric fi_av(3).
 */
package io.tagfabric.address;
