package io.tagfabric.active;

import io.tagfabric.wire.Packet;
import io.tagfabric.wire.PacketLayout;
import io.tagfabric.wire.sbe.ActiveLongEncoder;
import io.tagfabric.wire.sbe.ActiveNextEncoder;
import io.tagfabric.wire.sbe.ActiveReplyEncoder;
import io.tagfabric.wire.sbe.ActiveRequestEncoder;
import io.tagfabric.wire.sbe.MessageHeaderEncoder;

/** Lengths and flags of the frames of active messages. */
final class ActiveFrames {
  private static final int HEADER = MessageHeaderEncoder.ENCODED_LENGTH;
  static final int REQUEST_OVERHEAD = HEADER + ActiveRequestEncoder.BLOCK_LENGTH;
  static final int REPLY_OVERHEAD = HEADER + ActiveReplyEncoder.BLOCK_LENGTH;
  static final int NEXT_OVERHEAD = HEADER + ActiveNextEncoder.BLOCK_LENGTH;
  static final int LONG_OVERHEAD = HEADER + ActiveLongEncoder.BLOCK_LENGTH;

  /** Most bytes of a packet with a long request that are none of its payload. */
  static final int MOST_BESIDE_LONG_BYTES =
      Packet.HEADER_LENGTH + LONG_OVERHEAD + ActiveBody.MOST_ARGUMENTS * Integer.BYTES + HEADER;

  /** Flag of a request: its sender waits for no reply. */
  static final int NO_REPLY = 1;

  /** Flag of a part: of a reply. */
  static final int OF_REPLY = 2;

  /** Flag of a long request: its bytes follow. */
  static final int PACKED = 4;

  private ActiveFrames() {}

  /** Payload bytes that a frame has room for, if a packet takes frames of so many bytes. */
  static int room(int maxFrameBytes, int overhead) {
    return (maxFrameBytes & -PacketLayout.ALIGNMENT) - overhead;
  }

  /** Appends more of a payload. */
  static void next(
      Packet packet, long number, int flags, ActiveBody body, int position, int bytes) {
    int at = packet.length();
    new ActiveNextEncoder()
        .wrapAndApplyHeader(packet.buffer(), at, new MessageHeaderEncoder())
        .number(number)
        .position(position)
        .flags(flags);
    body.writePayload(packet, at + NEXT_OVERHEAD, position, bytes);
    packet.append(NEXT_OVERHEAD + bytes);
  }
}
