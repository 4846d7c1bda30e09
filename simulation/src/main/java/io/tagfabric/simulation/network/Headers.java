package io.tagfabric.simulation.network;

import io.tagfabric.wire.PacketLayout;
import io.tagfabric.wire.sbe.MessageHeaderDecoder;
import io.tagfabric.wire.sbe.PacketHeaderDecoder;
import io.tagfabric.wire.sbe.PacketHeaderEncoder;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** What the network itself knows of the headers of packets. */
public final class Headers {
  private static final int LIE_PACKETS = 1_000_000;

  private Headers() {}

  /** Shows the header of a packet. */
  public static PacketHeaderDecoder read(PacketHeaderDecoder header, DirectBuffer packet) {
    return header.wrap(
        packet,
        MessageHeaderDecoder.ENCODED_LENGTH,
        PacketHeaderDecoder.BLOCK_LENGTH,
        PacketHeaderDecoder.SCHEMA_VERSION);
  }

  /**
   * Makes a packet acknowledge what was never sent.
   *
   * @return false if it is of no flow, so that it acknowledges nothing
   */
  static boolean acknowledgeTooMuch(byte[] packet) {
    UnsafeBuffer buffer = new UnsafeBuffer(packet);
    PacketHeaderDecoder header = read(new PacketHeaderDecoder(), buffer);
    if (header.flow() == PacketLayout.NO_FLOW) {
      return false;
    }
    long told = header.acknowledged() + LIE_PACKETS;
    new PacketHeaderEncoder().wrap(buffer, MessageHeaderDecoder.ENCODED_LENGTH).acknowledged(told);
    return true;
  }
}
