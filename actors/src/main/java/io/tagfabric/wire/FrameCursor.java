package io.tagfabric.wire;

import io.tagfabric.wire.sbe.AbortDecoder;
import io.tagfabric.wire.sbe.ClearToSendDecoder;
import io.tagfabric.wire.sbe.DataDecoder;
import io.tagfabric.wire.sbe.EagerDecoder;
import io.tagfabric.wire.sbe.EagerFirstDecoder;
import io.tagfabric.wire.sbe.EagerNextDecoder;
import io.tagfabric.wire.sbe.FinishDecoder;
import io.tagfabric.wire.sbe.GoodbyeDecoder;
import io.tagfabric.wire.sbe.HelloDecoder;
import io.tagfabric.wire.sbe.MessageHeaderDecoder;
import io.tagfabric.wire.sbe.PacketHeaderDecoder;
import io.tagfabric.wire.sbe.PlacedDecoder;
import io.tagfabric.wire.sbe.RefuseDecoder;
import io.tagfabric.wire.sbe.RequestToSendDecoder;
import io.tagfabric.wire.sbe.WelcomeDecoder;
import java.util.UUID;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Walks the frames of a received packet. Reusable, single threaded. Never reads past the packet: a
 * length that does not fit ends the walk and {@link #isMalformed()} says so.
 */
public final class FrameCursor {
  /** Template ids of the frames, as in the schema. */
  public static final int EAGER = EagerDecoder.TEMPLATE_ID;

  public static final int REQUEST_TO_SEND = RequestToSendDecoder.TEMPLATE_ID;
  public static final int CLEAR_TO_SEND = ClearToSendDecoder.TEMPLATE_ID;
  public static final int DATA = DataDecoder.TEMPLATE_ID;
  public static final int HELLO = HelloDecoder.TEMPLATE_ID;
  public static final int WELCOME = WelcomeDecoder.TEMPLATE_ID;
  public static final int REFUSE = RefuseDecoder.TEMPLATE_ID;
  public static final int GOODBYE = GoodbyeDecoder.TEMPLATE_ID;
  public static final int EAGER_FIRST = EagerFirstDecoder.TEMPLATE_ID;
  public static final int EAGER_NEXT = EagerNextDecoder.TEMPLATE_ID;
  public static final int FINISH = FinishDecoder.TEMPLATE_ID;
  public static final int ABORT = AbortDecoder.TEMPLATE_ID;
  public static final int PLACED = PlacedDecoder.TEMPLATE_ID;

  private static final int FRAME_HEADER = MessageHeaderDecoder.ENCODED_LENGTH;

  private final MessageHeaderDecoder header = new MessageHeaderDecoder();
  private final PacketHeaderDecoder packet = new PacketHeaderDecoder();
  private final EagerDecoder eager = new EagerDecoder();
  private final RequestToSendDecoder request = new RequestToSendDecoder();
  private final ClearToSendDecoder clear = new ClearToSendDecoder();
  private final DataDecoder data = new DataDecoder();
  private final HelloDecoder hello = new HelloDecoder();
  private final WelcomeDecoder welcome = new WelcomeDecoder();
  private final RefuseDecoder refuse = new RefuseDecoder();
  private final GoodbyeDecoder goodbye = new GoodbyeDecoder();
  private final EagerFirstDecoder eagerFirst = new EagerFirstDecoder();
  private final EagerNextDecoder eagerNext = new EagerNextDecoder();
  private final FinishDecoder finish = new FinishDecoder();
  private final AbortDecoder abort = new AbortDecoder();
  private final PlacedDecoder placed = new PlacedDecoder();

  private UnsafeBuffer buffer;
  private int end;
  private int frameAt;
  private int next;
  private boolean malformed;

  /**
   * Begins with a packet.
   *
   * @return false if its header is not one of ours or its length is not the batch's
   */
  public boolean wrap(FrameBatch batch) {
    buffer = batch.buffer();
    end = batch.length();
    malformed = !isPacket();
    next = malformed ? end : PacketLayout.PACKET_HEADER_LENGTH;
    return !malformed;
  }

  private boolean isPacket() {
    if (end < PacketLayout.PACKET_HEADER_LENGTH) {
      return false;
    }
    header.wrap(buffer, 0);
    if (header.schemaId() != PacketHeaderDecoder.SCHEMA_ID
        || header.templateId() != PacketHeaderDecoder.TEMPLATE_ID
        || header.blockLength() != PacketHeaderDecoder.BLOCK_LENGTH) {
      return false;
    }
    packet.wrap(buffer, FRAME_HEADER, header.blockLength(), header.version());
    return packet.length() == end && packet.sequence() >= 0;
  }

  /** The packet's header. */
  public PacketHeaderDecoder packet() {
    return packet;
  }

  /** Moves to the next frame; its template id, or 0 at the end. */
  public int nextFrame() {
    if (next >= end) {
      return 0;
    }
    frameAt = next;
    if (end - frameAt < FRAME_HEADER) {
      return malformedFrame();
    }
    header.wrap(buffer, frameAt);
    int blockLength = header.blockLength();
    int template = header.templateId();
    if (header.schemaId() != PacketHeaderDecoder.SCHEMA_ID
        || blockLength != blockLengthOf(template)
        || end - frameAt < FRAME_HEADER + blockLength) {
      return malformedFrame();
    }
    int blockAt = frameAt + FRAME_HEADER;
    long frameLength = FRAME_HEADER + (long) blockLength;
    if (template == EAGER) {
      eager.wrap(buffer, blockAt, blockLength, header.version());
      frameLength += nonNegative(eager.length());
    } else if (template == DATA) {
      data.wrap(buffer, blockAt, blockLength, header.version());
      frameLength += nonNegative(data.length());
    } else {
      frameLength += wrapControl(template, blockAt, blockLength);
    }
    if (frameLength > end - frameAt) {
      return malformedFrame();
    }
    next = frameAt + PacketLayout.aligned((int) frameLength);
    return template;
  }

  private static int blockLengthOf(int template) {
    return switch (template) {
      case EagerDecoder.TEMPLATE_ID -> EagerDecoder.BLOCK_LENGTH;
      case RequestToSendDecoder.TEMPLATE_ID -> RequestToSendDecoder.BLOCK_LENGTH;
      case ClearToSendDecoder.TEMPLATE_ID -> ClearToSendDecoder.BLOCK_LENGTH;
      case DataDecoder.TEMPLATE_ID -> DataDecoder.BLOCK_LENGTH;
      case HelloDecoder.TEMPLATE_ID -> HelloDecoder.BLOCK_LENGTH;
      case WelcomeDecoder.TEMPLATE_ID -> WelcomeDecoder.BLOCK_LENGTH;
      case RefuseDecoder.TEMPLATE_ID -> RefuseDecoder.BLOCK_LENGTH;
      case GoodbyeDecoder.TEMPLATE_ID -> GoodbyeDecoder.BLOCK_LENGTH;
      case EagerFirstDecoder.TEMPLATE_ID -> EagerFirstDecoder.BLOCK_LENGTH;
      case EagerNextDecoder.TEMPLATE_ID -> EagerNextDecoder.BLOCK_LENGTH;
      case FinishDecoder.TEMPLATE_ID -> FinishDecoder.BLOCK_LENGTH;
      case AbortDecoder.TEMPLATE_ID -> AbortDecoder.BLOCK_LENGTH;
      case PlacedDecoder.TEMPLATE_ID -> PlacedDecoder.BLOCK_LENGTH;
      default -> -1;
    };
  }

  private long wrapControl(int template, int blockAt, int blockLength) {
    int version = header.version();
    switch (template) {
      case RequestToSendDecoder.TEMPLATE_ID -> {
        request.wrap(buffer, blockAt, blockLength, version);
        return request.length() < 0 || request.message() <= 0 ? Integer.MAX_VALUE : 0;
      }
      case ClearToSendDecoder.TEMPLATE_ID -> {
        clear.wrap(buffer, blockAt, blockLength, version);
        return clear.wanted() < 0 || clear.clearedTo() < 0 ? Integer.MAX_VALUE : 0;
      }
      case EagerFirstDecoder.TEMPLATE_ID -> {
        eagerFirst.wrap(buffer, blockAt, blockLength, version);
        boolean fits =
            eagerFirst.length() <= eagerFirst.total() && eagerFirst.total() <= Integer.MAX_VALUE;
        return fits ? nonNegative(eagerFirst.length()) : Integer.MAX_VALUE;
      }
      case EagerNextDecoder.TEMPLATE_ID -> {
        eagerNext.wrap(buffer, blockAt, blockLength, version);
        return nonNegative(eagerNext.length());
      }
      case FinishDecoder.TEMPLATE_ID -> finish.wrap(buffer, blockAt, blockLength, version);
      case AbortDecoder.TEMPLATE_ID -> abort.wrap(buffer, blockAt, blockLength, version);
      case PlacedDecoder.TEMPLATE_ID -> {
        placed.wrap(buffer, blockAt, blockLength, version);
        return placed.length() < 0 ? Integer.MAX_VALUE : 0;
      }
      case WelcomeDecoder.TEMPLATE_ID -> welcome.wrap(buffer, blockAt, blockLength, version);
      case GoodbyeDecoder.TEMPLATE_ID -> goodbye.wrap(buffer, blockAt, blockLength, version);
      case HelloDecoder.TEMPLATE_ID -> {
        hello.wrap(buffer, blockAt, blockLength, version);
        return textBytes(textBytes(0, blockAt + blockLength), blockAt + blockLength);
      }
      case RefuseDecoder.TEMPLATE_ID -> {
        refuse.wrap(buffer, blockAt, blockLength, version);
        return textBytes(0, blockAt + blockLength);
      }
      default -> throw new AssertionError("template " + template);
    }
    return 0;
  }

  /** Length so far plus that of the text there; past the end if its length field does not fit. */
  private long textBytes(long before, int varDataAt) {
    long at = varDataAt + before;
    if (at + HelloDecoder.addressHeaderLength() > end) {
      return Integer.MAX_VALUE;
    }
    int length = buffer.getShort((int) at, PacketHeaderDecoder.BYTE_ORDER) & 0xFFFF;
    return before + HelloDecoder.addressHeaderLength() + length;
  }

  private static long nonNegative(int length) {
    return length < 0 ? Integer.MAX_VALUE : length;
  }

  private int malformedFrame() {
    malformed = true;
    next = end;
    return 0;
  }

  /** Whether the packet or a frame met so far does not follow the schema. */
  public boolean isMalformed() {
    return malformed;
  }

  public EagerDecoder eager() {
    return eager;
  }

  /** Where the payload of the current Eager frame begins in the packet. */
  public int eagerPayloadAt() {
    return frameAt + PacketLayout.EAGER_OVERHEAD;
  }

  public RequestToSendDecoder requestToSend() {
    return request;
  }

  /** Where the bytes of the current RequestToSend frame can be read, null if nowhere. */
  public MemoryKey requestMemory() {
    return MemoryKey.read(request.segment(), request.segmentAt(), request.segmentEpoch());
  }

  public ClearToSendDecoder clearToSend() {
    return clear;
  }

  /** Where the bytes of the current ClearToSend frame can be written, null if nowhere. */
  public MemoryKey clearMemory() {
    return MemoryKey.read(clear.segment(), clear.segmentAt(), clear.segmentEpoch());
  }

  public DataDecoder data() {
    return data;
  }

  /** Where the payload of the current Data frame begins in the packet. */
  public int dataPayloadAt() {
    return frameAt + PacketLayout.DATA_OVERHEAD;
  }

  public EagerFirstDecoder eagerFirst() {
    return eagerFirst;
  }

  /** Where the payload of the current EagerFirst frame begins in the packet. */
  public int eagerFirstPayloadAt() {
    return frameAt + PacketLayout.EAGER_FIRST_OVERHEAD;
  }

  public EagerNextDecoder eagerNext() {
    return eagerNext;
  }

  /** Where the payload of the current EagerNext frame begins in the packet. */
  public int eagerNextPayloadAt() {
    return frameAt + PacketLayout.EAGER_NEXT_OVERHEAD;
  }

  public FinishDecoder finish() {
    return finish;
  }

  public AbortDecoder abort() {
    return abort;
  }

  public PlacedDecoder placed() {
    return placed;
  }

  public WelcomeDecoder welcome() {
    return welcome;
  }

  public GoodbyeDecoder goodbye() {
    return goodbye;
  }

  /** The current Hello frame as a value. */
  public Greeting greeting() {
    // SBE reads variable parts in the order of the schema.
    String address = hello.address();
    String objects = hello.objects();
    return new Greeting(
        hello.flow(),
        hello.protocol(),
        new UUID(hello.jobKeyHigh(), hello.jobKeyLow()),
        hello.partitionKey(),
        hello.objectFingerprint(),
        hello.endpoint(),
        address,
        objects);
  }

  public RefuseDecoder refuse() {
    return refuse;
  }
}
