/**
 * Collectives: operations that all members of a group take part in, made of tagged messages. {@link
 * io.tagfabric.collective.Barrier} is the first.
 *
 * <p>Imports the domain, the endpoint and what these speak of; nothing of flows, wire or providers.
 * Source: MPI-4.1 chapter 6.
 */
package io.tagfabric.collective;
