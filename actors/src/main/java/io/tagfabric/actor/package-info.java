/**
 * Actors of other nodes by the fabric: typed references whose messages go by flows of endpoints,
 * not by Akka's remoting.
 *
 * <p>Entry: {@link io.tagfabric.actor.FabricActors}. May import {@code actor.twin} and {@code
 * fabric} and what these use. A {@code Road} is the near side of the way to a node, a {@code
 * RoadReader} the far side; a twin ({@link io.tagfabric.actor.twin}) hands what it is told to its
 * road.
 */
package io.tagfabric.actor;
