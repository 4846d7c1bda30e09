/**
 * Akka's remoting between the ActorSystems of a simulation. A message to another system travels as
 * bytes, which arrive later and in order, or never if that system has ended.
 *
 * <p>Entry: {@link io.tagfabric.simulation.remote.SimulatedRemoting}. May import {@code
 * simulation.choice}, {@code simulation.world} and the packages of {@code actors}. {@link
 * io.tagfabric.simulation.remote.RemoteProvider} and {@link
 * io.tagfabric.simulation.remote.RemoteRef} stand for types of Akka that are not public.
 */
@InternalApi
package io.tagfabric.simulation.remote;

import io.tagfabric.annotation.InternalApi;
