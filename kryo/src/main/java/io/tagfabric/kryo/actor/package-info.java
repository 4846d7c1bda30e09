/**
 * Kryo in an actor system: {@link io.tagfabric.kryo.actor.KryoExtension} holds the system's one
 * codec, {@link io.tagfabric.kryo.actor.KryoSetup} gives it classes from code, and {@link
 * io.tagfabric.kryo.actor.TagfabricKryoSerializer} offers it to Akka's remoting.
 *
 * <p>May import {@code cluster.settings} and {@code kryo}, and Akka.
 */
package io.tagfabric.kryo.actor;
