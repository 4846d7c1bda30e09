/**
 * A network that exists only in a simulation: links between nodes that lose, double, delay and
 * refuse packets, hold them, and are cut. {@link io.tagfabric.simulation.network.SimulatedNetwork}
 * is the entry; {@link io.tagfabric.simulation.network.SimulatedProvider} brings it to endpoints.
 *
 * <p>May import {@code simulation.choice}, {@code simulation.world} and the packages of {@code
 * actors}.
 */
@InternalApi
package io.tagfabric.simulation.network;

import io.tagfabric.annotation.InternalApi;
