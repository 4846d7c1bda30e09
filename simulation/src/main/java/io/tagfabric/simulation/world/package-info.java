/**
 * One thread, one virtual clock, and what runs on them: {@link
 * io.tagfabric.simulation.world.Scheduler} is the entry. Akka is real, but its dispatchers and its
 * scheduler belong to the simulation ({@link io.tagfabric.simulation.world.SimulatedSystems}).
 *
 * <p>May import {@code simulation.choice} and the packages of {@code actors}.
 */
@InternalApi
package io.tagfabric.simulation.world;

import io.tagfabric.annotation.InternalApi;
