package io.tagfabric.wire;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.wire.sbe.DataEncoder;
import io.tagfabric.wire.sbe.EagerEncoder;
import io.tagfabric.wire.sbe.EagerFirstEncoder;
import io.tagfabric.wire.sbe.EagerNextEncoder;
import io.tagfabric.wire.sbe.MessageHeaderEncoder;
import io.tagfabric.wire.sbe.PacketHeaderEncoder;

/** Lengths and flags of the wire that code outside the codecs needs. */
@InternalApi
public final class PacketLayout {
  /** Frames begin at multiples of this. */
  public static final int ALIGNMENT = 8;

  /** SBE header and PacketHeader block. */
  public static final int PACKET_HEADER_LENGTH =
      MessageHeaderEncoder.ENCODED_LENGTH + PacketHeaderEncoder.BLOCK_LENGTH;

  /** Bytes of an Eager frame before its payload. */
  public static final int EAGER_OVERHEAD =
      MessageHeaderEncoder.ENCODED_LENGTH + EagerEncoder.BLOCK_LENGTH;

  /** Bytes of a Data frame before its payload. */
  public static final int DATA_OVERHEAD =
      MessageHeaderEncoder.ENCODED_LENGTH + DataEncoder.BLOCK_LENGTH;

  /** Bytes of an EagerFirst frame before its payload. */
  public static final int EAGER_FIRST_OVERHEAD =
      MessageHeaderEncoder.ENCODED_LENGTH + EagerFirstEncoder.BLOCK_LENGTH;

  /** Bytes of an EagerNext frame before its payload. */
  public static final int EAGER_NEXT_OVERHEAD =
      MessageHeaderEncoder.ENCODED_LENGTH + EagerNextEncoder.BLOCK_LENGTH;

  /** Packet flag: answer with an acknowledgement at once. */
  public static final int ACKNOWLEDGE = 1;

  /** Packet flag: packets after the acknowledged one are missing, send them again. */
  public static final int MISSING = 2;

  /** Message flag: the immediate data are valid. */
  public static final int HAS_DATA = 1;

  /** Flag of a request to send: answer with Finish. */
  public static final int WANTS_FINISH = 2;

  /** Message flag: it has no tag, and is for receives without one. */
  public static final int UNTAGGED = 4;

  /** Flow number of packets that come before the receiver's number is known. */
  public static final int NO_FLOW = -1;

  private PacketLayout() {}

  /** The length rounded up to the alignment of frames. */
  public static int aligned(int length) {
    return (length + ALIGNMENT - 1) & -ALIGNMENT;
  }
}
