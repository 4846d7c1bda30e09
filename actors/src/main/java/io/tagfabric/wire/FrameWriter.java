package io.tagfabric.wire;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.wire.sbe.AbortEncoder;
import io.tagfabric.wire.sbe.ClearToSendEncoder;
import io.tagfabric.wire.sbe.DataEncoder;
import io.tagfabric.wire.sbe.EagerEncoder;
import io.tagfabric.wire.sbe.EagerFirstEncoder;
import io.tagfabric.wire.sbe.EagerNextEncoder;
import io.tagfabric.wire.sbe.FinishEncoder;
import io.tagfabric.wire.sbe.GoodbyeEncoder;
import io.tagfabric.wire.sbe.MessageHeaderEncoder;
import io.tagfabric.wire.sbe.PacketHeaderEncoder;
import io.tagfabric.wire.sbe.PlacedEncoder;
import io.tagfabric.wire.sbe.RequestToSendEncoder;
import org.agrona.DirectBuffer;

/**
 * Appends the frames of flows and tagged messages to packets, and seals their packet headers. One
 * for each loop, single threaded; the caller has made sure that the frame fits.
 */
public final class FrameWriter {
  private static final int FRAME_HEADER = MessageHeaderEncoder.ENCODED_LENGTH;

  private final MessageHeaderEncoder header = new MessageHeaderEncoder();
  private final PacketHeaderEncoder packetHeader = new PacketHeaderEncoder();
  private final EagerEncoder eager = new EagerEncoder();
  private final RequestToSendEncoder request = new RequestToSendEncoder();
  private final ClearToSendEncoder clear = new ClearToSendEncoder();
  private final DataEncoder data = new DataEncoder();
  private final GoodbyeEncoder goodbye = new GoodbyeEncoder();
  private final EagerFirstEncoder eagerFirst = new EagerFirstEncoder();
  private final EagerNextEncoder eagerNext = new EagerNextEncoder();
  private final FinishEncoder finish = new FinishEncoder();
  private final AbortEncoder abort = new AbortEncoder();
  private final PlacedEncoder placed = new PlacedEncoder();
  private final AccessWriter accesses = new AccessWriter();

  /** Appends the frames of accesses to memory. */
  public AccessWriter accesses() {
    return accesses;
  }

  /** Bytes of an Eager frame. */
  public static int eagerLength(int payloadBytes) {
    return PacketLayout.aligned(PacketLayout.EAGER_OVERHEAD + payloadBytes);
  }

  /** Bytes of a RequestToSend frame. */
  public static int requestLength() {
    return frameLength(RequestToSendEncoder.BLOCK_LENGTH);
  }

  /** Bytes of a ClearToSend frame. */
  public static int clearLength() {
    return frameLength(ClearToSendEncoder.BLOCK_LENGTH);
  }

  /** Bytes of a Finish frame. */
  public static int finishLength() {
    return frameLength(FinishEncoder.BLOCK_LENGTH);
  }

  /** Bytes of an Abort frame. */
  public static int abortLength() {
    return frameLength(AbortEncoder.BLOCK_LENGTH);
  }

  /** Bytes of a Placed frame. */
  public static int placedLength() {
    return frameLength(PlacedEncoder.BLOCK_LENGTH);
  }

  /** Bytes of a Data frame. */
  public static int dataLength(int payloadBytes) {
    return PacketLayout.aligned(PacketLayout.DATA_OVERHEAD + payloadBytes);
  }

  /** Bytes of a Goodbye frame. */
  public static int goodbyeLength() {
    return frameLength(GoodbyeEncoder.BLOCK_LENGTH);
  }

  private static int frameLength(int blockLength) {
    return PacketLayout.aligned(FRAME_HEADER + blockLength);
  }

  /** Appends a whole message. */
  public void eager(Packet packet, MessageView message) {
    int at = packet.length();
    int length = message.length();
    eager
        .wrapAndApplyHeader(packet.buffer(), at, header)
        .tag(message.tag())
        .data(message.data())
        .flags(flagsOf(message));
    if (length > 0) {
      packet.put(at + PacketLayout.EAGER_OVERHEAD, message.buffer(), message.offset(), length);
    }
    packet.append(PacketLayout.EAGER_OVERHEAD + length);
  }

  private static int flagsOf(MessageView message) {
    return (message.hasData() ? PacketLayout.HAS_DATA : 0)
        | (message.isUntagged() ? PacketLayout.UNTAGGED : 0);
  }

  /**
   * Appends the envelope of a message of several packets with its first bytes.
   *
   * @param number the sender's number of the message
   * @param length how many bytes
   */
  public void eagerFirst(Packet packet, MessageView message, long number, int length) {
    int at = packet.length();
    eagerFirst
        .wrapAndApplyHeader(packet.buffer(), at, header)
        .tag(message.tag())
        .data(message.data())
        .total(message.length())
        .message(number)
        .flags(flagsOf(message));
    packet.put(at + PacketLayout.EAGER_FIRST_OVERHEAD, message.buffer(), message.offset(), length);
    packet.append(PacketLayout.EAGER_FIRST_OVERHEAD + length);
  }

  /** Appends more bytes of such a message. */
  public void eagerNext(
      Packet packet, long message, long position, DirectBuffer payload, int offset, int length) {
    int at = packet.length();
    eagerNext.wrapAndApplyHeader(packet.buffer(), at, header).message(message).position(position);
    packet.put(at + PacketLayout.EAGER_NEXT_OVERHEAD, payload, offset, length);
    packet.append(PacketLayout.EAGER_NEXT_OVERHEAD + length);
  }

  /**
   * Appends the envelope of a message that waits at the sender.
   *
   * @param number the sender's number of the message
   * @param wantsFinish whether the receiver shall say when its receive has ended
   * @param memory where the receiver may read the bytes itself, null if nowhere
   */
  public void requestToSend(
      Packet packet, MessageView message, long number, boolean wantsFinish, MemoryKey memory) {
    request
        .wrapAndApplyHeader(packet.buffer(), packet.length(), header)
        .tag(message.tag())
        .data(message.data())
        .length(message.length())
        .message(number)
        .flags(flagsOf(message) | (wantsFinish ? PacketLayout.WANTS_FINISH : 0))
        .segment(memory == null ? MemoryKey.NO_SEGMENT : memory.segment())
        .segmentAt(memory == null ? 0 : memory.at())
        .segmentEpoch(memory == null ? 0 : memory.epoch());
    packet.append(FRAME_HEADER + RequestToSendEncoder.BLOCK_LENGTH);
  }

  /**
   * Appends the clearance of a matched message, or of its next window.
   *
   * @param wanted bytes wanted in all
   * @param clearedTo bytes before this position may be sent now
   * @param memory where the sender may write the bytes itself, null if nowhere
   */
  public void clearToSend(
      Packet packet, long message, long receive, long wanted, long clearedTo, MemoryKey memory) {
    clear
        .wrapAndApplyHeader(packet.buffer(), packet.length(), header)
        .message(message)
        .receive(receive)
        .wanted(wanted)
        .clearedTo(clearedTo)
        .segment(memory == null ? MemoryKey.NO_SEGMENT : memory.segment())
        .segmentAt(memory == null ? 0 : memory.at())
        .segmentEpoch(memory == null ? 0 : memory.epoch());
    packet.append(FRAME_HEADER + ClearToSendEncoder.BLOCK_LENGTH);
  }

  /** Appends that a part of a cleared message is in the receiver's memory. */
  public void placed(Packet packet, long receive, long position, int length) {
    placed
        .wrapAndApplyHeader(packet.buffer(), packet.length(), header)
        .receive(receive)
        .position(position)
        .length(length);
    packet.append(FRAME_HEADER + PlacedEncoder.BLOCK_LENGTH);
  }

  /** Appends the end of the receive that took a message; error 0 is success. */
  public void finish(Packet packet, long message, int error) {
    finish
        .wrapAndApplyHeader(packet.buffer(), packet.length(), header)
        .message(message)
        .errorCode(error);
    packet.append(FRAME_HEADER + FinishEncoder.BLOCK_LENGTH);
  }

  /** Appends the end of a message whose bytes have not all been sent. */
  public void abort(Packet packet, long message, int error) {
    abort
        .wrapAndApplyHeader(packet.buffer(), packet.length(), header)
        .message(message)
        .errorCode(error);
    packet.append(FRAME_HEADER + AbortEncoder.BLOCK_LENGTH);
  }

  /** Appends a part of a cleared message. */
  public void data(
      Packet packet, long receive, long position, DirectBuffer payload, int offset, int length) {
    int at = packet.length();
    data.wrapAndApplyHeader(packet.buffer(), at, header).receive(receive).position(position);
    packet.put(at + PacketLayout.DATA_OVERHEAD, payload, offset, length);
    packet.append(PacketLayout.DATA_OVERHEAD + length);
    packet.markBulk();
  }

  /** Appends the end of the sender's endpoint. */
  public void goodbye(Packet packet, int error) {
    goodbye.wrapAndApplyHeader(packet.buffer(), packet.length(), header).errorCode(error);
    packet.append(FRAME_HEADER + GoodbyeEncoder.BLOCK_LENGTH);
  }

  /** Begins the packet header; the caller sets its fields, then offers the packet. */
  @InternalApi
  public PacketHeaderEncoder seal(Packet packet) {
    packetHeader.wrapAndApplyHeader(packet.buffer(), 0, header);
    header.frameLength(packet.length());
    return packetHeader;
  }

  /** Finishes the packet header of a packet that belongs to no flow. */
  public void sealUncounted(Packet packet, long incarnation, int isolation) {
    seal(packet)
        .incarnation(incarnation)
        .sequence(0)
        .acknowledged(0)
        .grantedBytes(0)
        .grantedMessages(0)
        .grantedReplies(0)
        .grantedActive((short) 0)
        .isolation(isolation)
        .flow(PacketLayout.NO_FLOW)
        .flags((short) 0);
  }
}
