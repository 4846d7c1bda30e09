/**
 * Runs of a whole job of random programs from a seed, under random faults, and the checks that must
 * hold meanwhile and at the end. {@link io.tagfabric.simulation.swarm.Sweep} is the entry, {@link
 * io.tagfabric.simulation.swarm.SeedRun} is one run.
 *
 * <p>May import the packages of {@code simulation}, and every package of {@code collectives} and of
 * the modules below it.
 *
 * @source Groce et al. 2012 (swarm testing); TigerBeetle, VOPR (safety, then liveness in a core)
 */
@InternalApi
package io.tagfabric.simulation.swarm;

import io.tagfabric.annotation.InternalApi;
