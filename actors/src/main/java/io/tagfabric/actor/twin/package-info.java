/**
 * The one place that names Akka's internal types: a reference of our own class that is Akka's
 * remote reference in all but its road.
 *
 * <p>Entry: {@link io.tagfabric.actor.twin.FabricRef}. Imports Akka and nothing of Tagfabric but
 * annotations. A test of the architecture keeps the internal types in here. Source: Akka 2.8.5,
 * {@code ActorRef.scala} and {@code dungeon/DeathWatch.scala}.
 */
@InternalApi
package io.tagfabric.actor.twin;

import io.tagfabric.annotation.InternalApi;
