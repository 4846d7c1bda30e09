package io.tagfabric.kryo;

/**
 * Marks messages that Akka sends to other nodes through Tagfabric's Kryo serializer; each concrete
 * class needs an entry in {@code tagfabric.kryo.registrations} too.
 */
public interface KryoSerializable {}
