/**
 * Collectives: operations that all members of a group take part in. {@link
 * io.tagfabric.collective.Team} is the group and has the operations.
 *
 * <p>Imports the domain, the endpoint and what these speak of; nothing of flows, wire or providers.
 * Source: MPI-4.1 chapter 6.
 */
package io.tagfabric.collective;
