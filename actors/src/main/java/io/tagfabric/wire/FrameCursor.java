package io.tagfabric.wire;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.wire.sbe.MessageHeaderDecoder;
import io.tagfabric.wire.sbe.PacketHeaderDecoder;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Walks the frames of a received packet, of whatever kinds. Reusable, single threaded. Never reads
 * past the packet: a length that does not fit ends the walk and {@link #isMalformed()} says so.
 */
public final class FrameCursor {
  private static final int FRAME_HEADER = MessageHeaderDecoder.ENCODED_LENGTH;

  private final MessageHeaderDecoder header = new MessageHeaderDecoder();
  private final PacketHeaderDecoder packet = new PacketHeaderDecoder();

  private UnsafeBuffer buffer;
  private int end;
  private int next;
  private int blockAt;
  private int blockLength;
  private int frameEnd;
  private int version;
  private boolean malformed;

  /**
   * Begins with a packet.
   *
   * @return false if its header is not one of ours or its length is not the packet's
   */
  public boolean wrap(Packet packet) {
    begin(isPacket(packet) && isOurVersion());
    return !malformed;
  }

  /**
   * Begins with a packet of whatever version of the schema, if it is one that sets a flow up: not
   * counted, and its first frame, which the cursor then stands on, a Hello, Welcome or Refuse. The
   * header of such a packet is the same in every version.
   *
   * @return the kind of that frame, 0 if it is no such packet
   */
  public int wrapSetUp(Packet packet) {
    begin(isPacket(packet));
    int kind = malformed || isCounted() ? 0 : nextFrame();
    return SetUpFrames.isSetUp(kind) ? kind : malformed();
  }

  private void begin(boolean isOne) {
    malformed = !isOne;
    next = malformed ? end : FRAME_HEADER + PacketLayout.aligned(header.blockLength());
  }

  /**
   * Begins with frames that no packet's header stands before.
   *
   * @param frames its first byte is the first of a frame
   */
  public void wrapFrames(Packet frames) {
    buffer = frames.buffer();
    end = frames.length();
    malformed = false;
    next = 0;
  }

  private boolean isPacket(Packet received) {
    buffer = received.buffer();
    end = received.length();
    if (end < PacketLayout.PACKET_HEADER_LENGTH) {
      return false;
    }
    header.wrap(buffer, 0);
    if (header.schemaId() != PacketHeaderDecoder.SCHEMA_ID
        || header.templateId() != PacketHeaderDecoder.TEMPLATE_ID
        || header.blockLength() < PacketHeaderDecoder.BLOCK_LENGTH
        || header.frameLength() != end) {
      return false;
    }
    packet.wrap(buffer, FRAME_HEADER, header.blockLength(), header.version());
    return true;
  }

  private boolean isOurVersion() {
    return header.version() == PacketHeaderDecoder.SCHEMA_VERSION
        && header.blockLength() == PacketHeaderDecoder.BLOCK_LENGTH;
  }

  /** Whether the packet has a number in its flow. */
  public boolean isCounted() {
    return packet.sequence() > 0;
  }

  /** The highest number in the flow that the packet's sender has given, as it says. */
  public long highestSent() {
    return Math.abs(packet.sequence());
  }

  /** The packet's header. */
  @InternalApi
  public PacketHeaderDecoder packet() {
    return packet;
  }

  /** Moves to the next frame; its kind, or 0 at the end. */
  public int nextFrame() {
    int at = next;
    if (at >= end) {
      return 0;
    }
    if (end - at < FRAME_HEADER) {
      return malformed();
    }
    header.wrap(buffer, at);
    long length = header.frameLength();
    int kind = header.templateId();
    blockLength = header.blockLength();
    if (length > end - at
        || length < FRAME_HEADER + blockLength
        || header.schemaId() != PacketHeaderDecoder.SCHEMA_ID
        || kind == 0) {
      return malformed();
    }
    version = header.version();
    blockAt = at + FRAME_HEADER;
    frameEnd = at + (int) length;
    next = at + PacketLayout.aligned((int) length);
    return kind;
  }

  /**
   * The current frame, or the packet, does not follow the schema: ends the walk.
   *
   * @return 0, as {@link #nextFrame} does at the end
   */
  public int malformed() {
    malformed = true;
    next = end;
    return 0;
  }

  /** Whether the packet or a frame met so far does not follow the schema. */
  public boolean isMalformed() {
    return malformed;
  }

  /** Whether the current frame's block has at least this length; else it is {@link #malformed}. */
  boolean beginsWith(int frozenLength) {
    if (blockLength >= frozenLength) {
      return true;
    }
    malformed();
    return false;
  }

  /**
   * Whether the current frame's block has this length; otherwise it is {@link #malformed}. What
   * follows the block is payload.
   */
  public boolean hasBlock(int length) {
    if (blockLength == length) {
      return true;
    }
    malformed();
    return false;
  }

  /** As {@link #hasBlock} for a frame without payload. */
  public boolean hasOnlyBlock(int length) {
    return hasBlock(length) && (payloadLength() == 0 || malformed() != 0);
  }

  /** The packet's bytes. */
  public UnsafeBuffer buffer() {
    return buffer;
  }

  /** Version of the schema that the current frame was written by. */
  public int version() {
    return version;
  }

  /** Where the current frame begins in the packet. */
  public int frameAt() {
    return blockAt - FRAME_HEADER;
  }

  /** Bytes of the current frame, its header and its payload included. */
  public int frameLength() {
    return frameEnd - frameAt();
  }

  /** Where the current frame's fixed block begins in the packet. */
  public int blockAt() {
    return blockAt;
  }

  /** Bytes of the current frame's fixed block. */
  int blockLength() {
    return blockLength;
  }

  /** Where the current frame's payload begins in the packet. */
  public int payloadAt() {
    return blockAt + blockLength;
  }

  /** Bytes of the current frame's payload. */
  public int payloadLength() {
    return frameEnd - payloadAt();
  }
}
