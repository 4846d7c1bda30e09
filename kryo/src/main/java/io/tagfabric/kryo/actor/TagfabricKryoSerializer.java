package io.tagfabric.kryo.actor;

import akka.actor.ExtendedActorSystem;
import akka.serialization.ByteBufferSerializer;
import akka.serialization.SerializerWithStringManifest;
import io.tagfabric.annotation.InternalApi;
import io.tagfabric.kryo.KryoCodec;
import java.nio.ByteBuffer;

/**
 * Offers the system's {@link KryoCodec} to Akka's remoting, for messages that implement {@link
 * io.tagfabric.kryo.KryoSerializable}. Called on Artery's threads, several at once.
 *
 * <p>The manifest is empty: the class is the first number of the object itself. An object too large
 * for the frame leaves as a {@link java.nio.BufferOverflowException}, which is what Akka reports as
 * {@code Dropped}; a class that is not registered is refused with an error that Akka logs.
 */
@InternalApi
public final class TagfabricKryoSerializer extends SerializerWithStringManifest
    implements ByteBufferSerializer {
  private static final String NO_MANIFEST = "";

  private final int identifier;
  private final KryoCodec codec;

  /** Called by Akka, by name from {@code akka.actor.serializers}. */
  public TagfabricKryoSerializer(ExtendedActorSystem system) {
    identifier =
        system
            .settings()
            .config()
            .getConfig("akka.actor.serialization-identifiers")
            .getInt('"' + TagfabricKryoSerializer.class.getName() + '"');
    codec = KryoExtension.codec(system);
  }

  @Override
  public int identifier() {
    return identifier;
  }

  @Override
  public String manifest(Object object) {
    return NO_MANIFEST;
  }

  @Override
  public byte[] toBinary(Object object) {
    return codec.encode(object);
  }

  @Override
  public void toBinary(Object object, ByteBuffer buffer) {
    codec.encode(object, buffer);
  }

  @Override
  public Object fromBinary(byte[] bytes, String manifest) {
    return codec.decode(bytes);
  }

  @Override
  public Object fromBinary(ByteBuffer buffer, String manifest) {
    return codec.decode(buffer);
  }
}
