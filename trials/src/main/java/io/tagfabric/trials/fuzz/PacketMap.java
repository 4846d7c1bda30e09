package io.tagfabric.trials.fuzz;

import io.tagfabric.cluster.job.KeyProof;
import io.tagfabric.wire.PacketLayout;
import io.tagfabric.wire.sbe.AbortEncoder;
import io.tagfabric.wire.sbe.AccessEndEncoder;
import io.tagfabric.wire.sbe.ActiveLongEncoder;
import io.tagfabric.wire.sbe.ActiveNextEncoder;
import io.tagfabric.wire.sbe.ActiveReplyEncoder;
import io.tagfabric.wire.sbe.ActiveRequestEncoder;
import io.tagfabric.wire.sbe.AtomicEncoder;
import io.tagfabric.wire.sbe.ClearToSendEncoder;
import io.tagfabric.wire.sbe.DataEncoder;
import io.tagfabric.wire.sbe.EagerEncoder;
import io.tagfabric.wire.sbe.EagerFirstEncoder;
import io.tagfabric.wire.sbe.EagerNextEncoder;
import io.tagfabric.wire.sbe.FillEncoder;
import io.tagfabric.wire.sbe.FinishEncoder;
import io.tagfabric.wire.sbe.FlushEncoder;
import io.tagfabric.wire.sbe.GoodbyeEncoder;
import io.tagfabric.wire.sbe.HelloEncoder;
import io.tagfabric.wire.sbe.MessageHeaderDecoder;
import io.tagfabric.wire.sbe.MessageHeaderEncoder;
import io.tagfabric.wire.sbe.NoteEncoder;
import io.tagfabric.wire.sbe.PacketHeaderDecoder;
import io.tagfabric.wire.sbe.PacketHeaderEncoder;
import io.tagfabric.wire.sbe.PlacedEncoder;
import io.tagfabric.wire.sbe.ReadDataEncoder;
import io.tagfabric.wire.sbe.ReadEncoder;
import io.tagfabric.wire.sbe.ReadSlicesEncoder;
import io.tagfabric.wire.sbe.RefuseEncoder;
import io.tagfabric.wire.sbe.RequestToSendEncoder;
import io.tagfabric.wire.sbe.WelcomeEncoder;
import io.tagfabric.wire.sbe.WriteEncoder;
import io.tagfabric.wire.sbe.WriteNextEncoder;
import java.lang.reflect.Method;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Where what lies in a packet: the one place here that knows the layout. Fields come from the
 * generated codecs, so that a new one is attacked without a word here.
 */
final class PacketMap {
  private static final ByteOrder ORDER = PacketHeaderEncoder.BYTE_ORDER;
  private static final String OFFSET = "EncodingOffset";
  private static final String ENCODER = "Encoder";
  private static final String PROOF = "proof";

  /**
   * A number in a packet.
   *
   * @param at where, from the first byte of the frame or packet
   * @param bytes 1, 2, 4 or 8; of an array its first ones
   */
  record Field(String name, int at, int bytes) {
    long get(DirectBuffer packet, int frameAt) {
      int index = frameAt + at;
      return switch (bytes) {
        case 1 -> packet.getByte(index);
        case 2 -> packet.getShort(index, ORDER);
        case 4 -> packet.getInt(index, ORDER);
        default -> packet.getLong(index, ORDER);
      };
    }

    void set(MutableDirectBuffer packet, int frameAt, long value) {
      int index = frameAt + at;
      switch (bytes) {
        case 1 -> packet.putByte(index, (byte) value);
        case 2 -> packet.putShort(index, (short) value, ORDER);
        case 4 -> packet.putInt(index, (int) value, ORDER);
        default -> packet.putLong(index, value, ORDER);
      }
    }
  }

  /**
   * A kind of frame, or the packet's header.
   *
   * @param fields without those of the header that each frame begins with
   */
  record Kind(String name, int template, int blockLength, List<Field> fields) {
    /** Bytes before payload or texts. */
    int fixedBytes() {
      return HEADER_BYTES + blockLength;
    }

    Field field(String wanted) {
      return fields.stream()
          .filter(field -> field.name.equals(wanted))
          .findFirst()
          .orElseThrow(() -> new IllegalArgumentException(name + " has no field " + wanted));
    }

    /** Whether payload bytes follow, to the end of the frame. */
    boolean hasPayload() {
      return PAYLOAD_KINDS.contains(name);
    }

    /** Whether texts follow, each behind its length in 2 bytes. */
    int texts() {
      return name.equals("Hello") ? 2 : name.equals("Refuse") ? 1 : 0;
    }

    /** Whether it sets a flow up, and proves that its writer has the job's key. */
    boolean isProven() {
      return fields.stream().anyMatch(field -> field.name.equals(PROOF));
    }
  }

  /**
   * A frame that lies in a packet.
   *
   * @param length with what pads it
   */
  record Frame(Kind kind, int at, int length) {
    int end() {
      return at + length;
    }
  }

  static final int HEADER_BYTES = MessageHeaderEncoder.ENCODED_LENGTH;
  private static final List<String> PAYLOAD_KINDS =
      List.of(
          "Eager",
          "EagerFirst",
          "EagerNext",
          "Data",
          "Note",
          "Write",
          "WriteNext",
          "ReadData",
          "Atomic",
          "ActiveRequest",
          "ActiveReply",
          "ActiveNext",
          "ActiveLong",
          "ReadSlices");
  static final int TEXT_LENGTH_BYTES = HelloEncoder.addressHeaderLength();

  /** Fields of the header of packets and frames. */
  static final List<Field> HEADER = fieldsOf(MessageHeaderEncoder.class, 0);

  /** The packet's own header. */
  static final Kind PACKET = kind(PacketHeaderEncoder.class, PacketHeaderEncoder.TEMPLATE_ID);

  /** All kinds of frames. */
  static final List<Kind> FRAMES =
      List.of(
          kind(EagerEncoder.class, EagerEncoder.TEMPLATE_ID),
          kind(RequestToSendEncoder.class, RequestToSendEncoder.TEMPLATE_ID),
          kind(ClearToSendEncoder.class, ClearToSendEncoder.TEMPLATE_ID),
          kind(DataEncoder.class, DataEncoder.TEMPLATE_ID),
          kind(HelloEncoder.class, HelloEncoder.TEMPLATE_ID),
          kind(WelcomeEncoder.class, WelcomeEncoder.TEMPLATE_ID),
          kind(RefuseEncoder.class, RefuseEncoder.TEMPLATE_ID),
          kind(GoodbyeEncoder.class, GoodbyeEncoder.TEMPLATE_ID),
          kind(EagerFirstEncoder.class, EagerFirstEncoder.TEMPLATE_ID),
          kind(EagerNextEncoder.class, EagerNextEncoder.TEMPLATE_ID),
          kind(FinishEncoder.class, FinishEncoder.TEMPLATE_ID),
          kind(AbortEncoder.class, AbortEncoder.TEMPLATE_ID),
          kind(PlacedEncoder.class, PlacedEncoder.TEMPLATE_ID),
          kind(NoteEncoder.class, NoteEncoder.TEMPLATE_ID),
          kind(WriteEncoder.class, WriteEncoder.TEMPLATE_ID),
          kind(WriteNextEncoder.class, WriteNextEncoder.TEMPLATE_ID),
          kind(ReadEncoder.class, ReadEncoder.TEMPLATE_ID),
          kind(ReadDataEncoder.class, ReadDataEncoder.TEMPLATE_ID),
          kind(AtomicEncoder.class, AtomicEncoder.TEMPLATE_ID),
          kind(FlushEncoder.class, FlushEncoder.TEMPLATE_ID),
          kind(AccessEndEncoder.class, AccessEndEncoder.TEMPLATE_ID),
          kind(ActiveRequestEncoder.class, ActiveRequestEncoder.TEMPLATE_ID),
          kind(ActiveReplyEncoder.class, ActiveReplyEncoder.TEMPLATE_ID),
          kind(ActiveNextEncoder.class, ActiveNextEncoder.TEMPLATE_ID),
          kind(ActiveLongEncoder.class, ActiveLongEncoder.TEMPLATE_ID),
          kind(ReadSlicesEncoder.class, ReadSlicesEncoder.TEMPLATE_ID),
          kind(FillEncoder.class, FillEncoder.TEMPLATE_ID));

  private static final Field INCARNATION = PACKET.field("incarnation");
  private static final Field FLOW = PACKET.field("flow");
  private static final Field ISOLATION = PACKET.field("isolation");
  private static final Field LENGTH =
      HEADER.stream().filter(field -> field.name.equals("frameLength")).findFirst().orElseThrow();

  private PacketMap() {}

  private static Kind kind(Class<?> encoder, int template) {
    String name = encoder.getSimpleName();
    List<Field> fields = fieldsOf(encoder, HEADER_BYTES);
    return new Kind(
        name.substring(0, name.length() - ENCODER.length()),
        template,
        number(encoder, "BLOCK_LENGTH"),
        fields);
  }

  private static List<Field> fieldsOf(Class<?> encoder, int after) {
    List<Field> fields = new ArrayList<>();
    for (Method method : encoder.getMethods()) {
      String name = method.getName();
      if (name.endsWith(OFFSET)) {
        String field = name.substring(0, name.length() - OFFSET.length());
        int bytes = Math.min(Long.BYTES, call(encoder, field + "EncodingLength"));
        fields.add(new Field(field, after + call(encoder, name), bytes));
      }
    }
    fields.sort(Comparator.comparingInt(Field::at));
    return List.copyOf(fields);
  }

  private static int call(Class<?> encoder, String method) {
    try {
      return (int) encoder.getMethod(method).invoke(null);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(encoder + " has no " + method, e);
    }
  }

  private static int number(Class<?> encoder, String constant) {
    try {
      return encoder.getField(constant).getInt(null);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(encoder + " has no " + constant, e);
    }
  }

  /** Where frames begin. */
  static int firstFrameAt() {
    return PacketLayout.PACKET_HEADER_LENGTH;
  }

  /** The frames of a packet in order, as far as they follow the schema. */
  static List<Frame> frames(DirectBuffer packet, int length) {
    List<Frame> frames = new ArrayList<>();
    MessageHeaderDecoder header = new MessageHeaderDecoder();
    int at = firstFrameAt();
    while (length - at >= HEADER_BYTES) {
      header.wrap(packet, at);
      Kind kind = kindOf(header.templateId());
      if (kind == null
          || header.schemaId() != PacketHeaderDecoder.SCHEMA_ID
          || header.blockLength() != kind.blockLength) {
        break;
      }
      long frame = header.frameLength();
      if (frame > length - at || frame < kind.fixedBytes()) {
        break;
      }
      int padded = Math.min(PacketLayout.aligned((int) frame), length - at);
      frames.add(new Frame(kind, at, padded));
      at += padded;
    }
    return frames;
  }

  private static Kind kindOf(int template) {
    for (Kind kind : FRAMES) {
      if (kind.template == template) {
        return kind;
      }
    }
    return null;
  }

  /**
   * Writes the beginning of a frame whose fields are set afterwards.
   *
   * @param unpaddedBytes its length
   */
  static void begin(MutableDirectBuffer packet, int at, Kind kind, int unpaddedBytes) {
    new MessageHeaderEncoder()
        .wrap(packet, at)
        .blockLength((short) kind.blockLength)
        .templateId((short) kind.template)
        .schemaId(PacketHeaderEncoder.SCHEMA_ID)
        .version(PacketHeaderEncoder.SCHEMA_VERSION);
    resize(packet, at, unpaddedBytes);
  }

  /**
   * Says in a frame how long it is.
   *
   * @param unpaddedBytes with the payload, if it has any
   */
  static void resize(MutableDirectBuffer packet, int at, int unpaddedBytes) {
    LENGTH.set(packet, at, unpaddedBytes);
  }

  /** Writes how long the texts of a frame are that lies at the beginning of a buffer. */
  static void texts(MutableDirectBuffer frame, Kind kind, int[] lengths) {
    int at = kind.fixedBytes();
    for (int length : lengths) {
      frame.putShort(at, (short) length, ORDER);
      at += TEXT_LENGTH_BYTES + length;
    }
  }

  /** Says in the packet's header how long the packet is. */
  static void length(MutableDirectBuffer packet, int length) {
    LENGTH.set(packet, 0, length);
  }

  /**
   * Proves anew what the frames say that set a flow up, as one with the job's key can.
   *
   * @param proofs by that key
   */
  static void prove(MutableDirectBuffer packet, int length, KeyProof proofs) {
    for (Frame frame : frames(packet, length)) {
      if (frame.kind.isProven()) {
        int unpadded = (int) LENGTH.get(packet, frame.at);
        byte[] before = new byte[HEADER_BYTES];
        byte[] after = new byte[unpadded - HEADER_BYTES - KeyProof.BYTES];
        packet.getBytes(frame.at, before);
        packet.getBytes(frame.at + HEADER_BYTES + KeyProof.BYTES, after);
        packet.putBytes(
            frame.at + HEADER_BYTES,
            proofs.over(KeyProof.part(incarnation(packet)), before, after));
      }
    }
  }

  /** Whether there is a whole header of a packet. */
  static boolean hasHeader(int length) {
    return length >= firstFrameAt();
  }

  static long incarnation(DirectBuffer packet) {
    return INCARNATION.get(packet, 0);
  }

  /** The receiver's number of the flow; negative before it is known. */
  static int flow(DirectBuffer packet) {
    return (int) FLOW.get(packet, 0);
  }

  static int isolation(DirectBuffer packet) {
    return (int) ISOLATION.get(packet, 0);
  }

  static void isolation(MutableDirectBuffer packet, int isolation) {
    ISOLATION.set(packet, 0, isolation);
  }
}
