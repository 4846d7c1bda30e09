/**
 * Rank programs in a simulation: each rank's {@code main} is a thread that runs while it has the
 * baton, its node has membership and mail of the simulation, and the JDK's calls of the program go
 * to the virtual clock and the seed.
 *
 * <p>Entry: {@link io.tagfabric.simulation.job.SimulatedJob}. May import {@code cluster.profile},
 * {@code simulation.isolate} and {@code simulation.network} and what these use.
 */
@InternalApi
package io.tagfabric.simulation.job;

import io.tagfabric.annotation.InternalApi;
