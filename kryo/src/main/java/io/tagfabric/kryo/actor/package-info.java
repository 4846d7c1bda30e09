/**
 * Kryo in an actor system: {@link io.tagfabric.kryo.actor.KryoExtension} holds the system's one
 * codec, {@link io.tagfabric.kryo.actor.KryoSetup} gives it classes from code, and {@link
 * io.tagfabric.kryo.actor.TagfabricKryoSerializer} offers it to Akka's remoting.
 *
 * <p>Imports {@code io.tagfabric.kryo}, the settings and Akka.
 */
package io.tagfabric.kryo.actor;
