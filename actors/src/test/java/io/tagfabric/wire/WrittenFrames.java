package io.tagfabric.wire;

import io.tagfabric.wire.sbe.MessageHeaderEncoder;
import io.tagfabric.wire.sbe.PacketHeaderEncoder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import org.agrona.concurrent.UnsafeBuffer;

/** Packets of random frames, with the calls that they must be read as by {@link ReadFrames}. */
final class WrittenFrames {
  /** A frame; what the numbers are depends on the kind, the length is its payload's. */
  record Frame(Kind kind, long first, long second, int length) {}

  /** Kinds of frames. */
  enum Kind {
    EAGER,
    EAGER_FIRST,
    EAGER_NEXT,
    REQUEST,
    DATA,
    PLACED,
    ABORT,
    CLEAR,
    FINISH,
    GOODBYE,
    UNKNOWN
  }

  static final int PACKET = 8 * 1024;
  private static final int FIRST_UNKNOWN = 60;
  private static final int HEADER = MessageHeaderEncoder.ENCODED_LENGTH;

  private final PacketPool pool = new PacketPool(512, PACKET);
  private final FrameWriter writer = new FrameWriter();
  private final MessageHeaderEncoder header = new MessageHeaderEncoder();

  /** How what was written must be read. */
  final List<List<Object>> expected = new ArrayList<>();

  /** The frames of a packet. */
  static Arbitrary<List<Frame>> arbitrary() {
    return Combinators.combine(
            Arbitraries.of(Kind.class),
            Arbitraries.longs(),
            Arbitraries.longs().greaterOrEqual(1),
            Arbitraries.integers().between(0, 300))
        .as(Frame::new)
        .list()
        .ofMaxSize(15);
  }

  /** A payload that begins three bytes into its buffer. */
  private static UnsafeBuffer payload(int length) {
    byte[] bytes = new byte[length + 3];
    for (int i = 0; i < length; i++) {
      bytes[i + 3] = (byte) (i * 3 + length);
    }
    return new UnsafeBuffer(bytes);
  }

  private static String hex(int length) {
    byte[] bytes = payload(length).byteArray();
    return HexFormat.of().formatHex(bytes, 3, bytes.length);
  }

  private static MessageView message(Frame frame, int length) {
    MessageView message = MessageViews.of(frame.first, payload(length), 3, length);
    if (hasData(frame)) {
      message.showData(frame.second);
    }
    return message;
  }

  private static boolean hasData(Frame frame) {
    return frame.length % 2 == 0;
  }

  private static MemoryKey memory(Frame frame) {
    return frame.length % 3 == 0 ? new MemoryKey(1 + frame.length, 2L * frame.length, 7) : null;
  }

  private void expect(Object... call) {
    expected.add(Arrays.asList(call));
  }

  /** A packet with these frames; it may lie among other bytes. */
  Packet write(List<Frame> frames) {
    expected.clear();
    Packet packet = pool.acquire(PACKET - Packet.HEADER_LENGTH);
    Arrays.fill(packet.array(), packet.length(), PACKET, (byte) 0xEE);
    frames.forEach(frame -> write(packet, frame));
    seal(packet)
        .incarnation(1)
        .sequence(2)
        .acknowledged(3)
        .grantedBytes(4)
        .grantedMessages(5)
        .grantedReplies(10)
        .grantedActive((short) 11)
        .isolation(7)
        .flow(8)
        .flags((short) 9);
    return packet;
  }

  PacketHeaderEncoder seal(Packet packet) {
    return writer.seal(packet);
  }

  private void write(Packet packet, Frame frame) {
    long first = frame.first;
    long second = frame.second;
    int length = frame.length;
    long data = hasData(frame) ? second : 0;
    String hex = hex(length);
    switch (frame.kind) {
      case EAGER -> {
        writer.eager(packet, message(frame, length));
        expect("whole", null, first, hasData(frame), data, hex);
      }
      case EAGER_FIRST -> {
        writer.eagerFirst(packet, message(frame, 300), second, length);
        String part = hex(300).substring(0, 2 * length);
        expect("first", null, first, hasData(frame), data, part, second, 300L);
      }
      case EAGER_NEXT -> {
        writer.eagerNext(packet, first, second, payload(length), 3, length);
        expect("next", null, first, second, hex);
      }
      case REQUEST -> {
        boolean finish = length % 5 == 0;
        writer.requestToSend(packet, message(frame, length), second, finish, memory(frame));
        expect(
            "announced",
            null,
            first,
            hasData(frame),
            data,
            "",
            second,
            (long) length,
            finish,
            memory(frame));
      }
      case DATA -> {
        writer.data(packet, first, second, payload(length), 3, length);
        expect("data", null, first, second, hex);
      }
      case PLACED -> {
        writer.placed(packet, first, second, length);
        expect("placed", null, first, second, length);
      }
      case ABORT -> {
        writer.abort(packet, first, length);
        expect("aborted", null, first, length);
      }
      case CLEAR -> {
        writer.clearToSend(packet, first, second, second, length, memory(frame));
        expect("clear", first, second, second, (long) length, memory(frame));
      }
      case FINISH -> {
        writer.finish(packet, first, length);
        expect("finish", first, length);
      }
      case GOODBYE -> {
        writer.goodbye(packet, length);
        expect("goodbye", length);
      }
      case UNKNOWN -> {
        int kind = FIRST_UNKNOWN + (int) (second % (FrameServices.KINDS - FIRST_UNKNOWN));
        unknown(packet, kind, (int) (second >>> 8) & 0xFF & length, length);
        expect("unknown", kind, hex);
      }
    }
  }

  private void unknown(Packet packet, int kind, int blockLength, int length) {
    header
        .wrap(packet.buffer(), packet.length())
        .blockLength((short) blockLength)
        .templateId((short) kind)
        .schemaId(PacketHeaderEncoder.SCHEMA_ID)
        .version((short) 77);
    packet.buffer().putBytes(packet.length() + HEADER, payload(length), 3, length);
    packet.append(HEADER + length);
  }

  /** Bytes that a frame takes in its packet. */
  static int lengthOf(Frame frame) {
    int length = frame.length;
    return switch (frame.kind) {
      case EAGER -> FrameWriter.eagerLength(length);
      case EAGER_FIRST -> PacketLayout.aligned(PacketLayout.EAGER_FIRST_OVERHEAD + length);
      case EAGER_NEXT -> PacketLayout.aligned(PacketLayout.EAGER_NEXT_OVERHEAD + length);
      case REQUEST -> FrameWriter.requestLength();
      case DATA -> FrameWriter.dataLength(length);
      case PLACED -> FrameWriter.placedLength();
      case ABORT -> FrameWriter.abortLength();
      case CLEAR -> FrameWriter.clearLength();
      case FINISH -> FrameWriter.finishLength();
      case GOODBYE -> FrameWriter.goodbyeLength();
      case UNKNOWN -> PacketLayout.aligned(HEADER + length);
    };
  }
}
