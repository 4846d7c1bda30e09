/**
 * Akka's remoting between the ActorSystems of a simulation: what is told to a reference of another
 * system is bytes that arrive later, in order, or never where no such system is there any more.
 *
 * <p>Entry: {@link io.tagfabric.simulation.remote.SimulatedRemoting}. May import {@code
 * simulation.choice}, {@code simulation.world} and the packages of {@code actors}. {@link
 * io.tagfabric.simulation.remote.RemoteProvider} and {@link
 * io.tagfabric.simulation.remote.RemoteRef} stand for types of Akka that are not public.
 */
@InternalApi
package io.tagfabric.simulation.remote;

import io.tagfabric.annotation.InternalApi;
