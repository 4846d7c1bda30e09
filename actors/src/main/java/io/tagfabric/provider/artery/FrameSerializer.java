package io.tagfabric.provider.artery;

import akka.actor.ExtendedActorSystem;
import akka.serialization.ByteBufferSerializer;
import akka.serialization.SerializerWithStringManifest;
import io.tagfabric.wire.Packet;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Puts a packet into an Artery frame as it is. The manifest is empty: the packet's own header says
 * what it is. Writing ends the transport's hold on the packet.
 */
public final class FrameSerializer extends SerializerWithStringManifest
    implements ByteBufferSerializer {
  private static final int IDENTIFIER = 641;

  /** Called by Akka. */
  public FrameSerializer(ExtendedActorSystem system) {
    // Frames need nothing of the system.
  }

  @Override
  public int identifier() {
    return IDENTIFIER;
  }

  @Override
  public String manifest(Object o) {
    return "";
  }

  @Override
  public void toBinary(Object o, ByteBuffer buf) {
    Packet packet = (Packet) o;
    if (packet.length() > buf.remaining()) {
      throw new BufferOverflowException();
    }
    buf.put(packet.array(), 0, packet.length());
    packet.release();
  }

  @Override
  public byte[] toBinary(Object o) {
    Packet packet = (Packet) o;
    byte[] bytes = Arrays.copyOf(packet.array(), packet.length());
    packet.release();
    return bytes;
  }

  @Override
  public Object fromBinary(ByteBuffer buf, String manifest) {
    byte[] packet = new byte[buf.remaining()];
    buf.get(packet);
    return Packet.received(packet);
  }

  @Override
  public Object fromBinary(byte[] bytes, String manifest) {
    return Packet.received(bytes);
  }
}
