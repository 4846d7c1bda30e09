package io.tagfabric.wire;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.cluster.job.KeyProof;
import io.tagfabric.wire.Greeting.Hello;
import io.tagfabric.wire.Greeting.Limits;
import io.tagfabric.wire.Greeting.Nonce;
import io.tagfabric.wire.Greeting.Refusal;
import io.tagfabric.wire.sbe.HelloDecoder;
import io.tagfabric.wire.sbe.HelloEncoder;
import io.tagfabric.wire.sbe.MessageHeaderEncoder;
import io.tagfabric.wire.sbe.RefuseDecoder;
import io.tagfabric.wire.sbe.RefuseEncoder;
import io.tagfabric.wire.sbe.WelcomeDecoder;
import io.tagfabric.wire.sbe.WelcomeEncoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The frames that set a flow up. Each carries a proof that its writer has the job's key, over the
 * incarnation it speaks for and all other bytes of the frame; the key itself never travels. A frame
 * is decoded only after its proof has held. Single threaded: the domain's loop.
 *
 * <pre>
 *   0        8                       40
 *   +--------+-----------------------+--------- - -
 *   | header | proof (32)            | fields, texts
 *   +--------+-----------------------+--------- - -
 * </pre>
 */
@InternalApi
public final class SetUpFrames {
  private static final int MAX_TEXT_CHARS = 16_000;
  private static final int MAX_BYTES_A_CHAR = 3;
  private static final int HEADER = MessageHeaderEncoder.ENCODED_LENGTH;
  private static final int TEXT_HEADER = HelloEncoder.objectsHeaderLength();

  private final KeyProof proofs;
  private final MessageHeaderEncoder header = new MessageHeaderEncoder();
  private final HelloEncoder hello = new HelloEncoder();
  private final WelcomeEncoder welcome = new WelcomeEncoder();
  private final RefuseEncoder refuse = new RefuseEncoder();
  private final HelloDecoder readHello = new HelloDecoder();
  private final WelcomeDecoder readWelcome = new WelcomeDecoder();
  private final RefuseDecoder readRefuse = new RefuseDecoder();

  /**
   * Frames of one job.
   *
   * @param proofs by the job's key
   */
  public SetUpFrames(KeyProof proofs) {
    this.proofs = proofs;
  }

  // ---- writing ----

  /** Bytes of a Hello at most; its objects are shortened if a packet has less room. */
  public static int helloLength(Hello told) {
    return HEADER
        + HelloEncoder.BLOCK_LENGTH
        + textLength(told.address())
        + textLength(told.objects())
        + PacketLayout.ALIGNMENT;
  }

  /** Bytes of a Welcome. */
  public static int welcomeLength() {
    return PacketLayout.aligned(HEADER + WelcomeEncoder.BLOCK_LENGTH);
  }

  /** Bytes of a Refuse at most; its reason is shortened if a packet has less room. */
  public static int refuseLength(String reason) {
    return HEADER + RefuseEncoder.BLOCK_LENGTH + textLength(reason) + PacketLayout.ALIGNMENT;
  }

  private static int textLength(String text) {
    return TEXT_HEADER + text.getBytes(StandardCharsets.UTF_8).length;
  }

  /**
   * Appends the request for a flow.
   *
   * @param incarnation of the writer
   */
  public void hello(Packet packet, long incarnation, Hello told) {
    int at = packet.length();
    Greeting greeting = told.greeting();
    hello
        .wrapAndApplyHeader(packet.buffer(), at, header)
        .flow(greeting.flow())
        .protocol(told.protocol())
        .nonceHigh(greeting.nonce().high())
        .nonceLow(greeting.nonce().low())
        .incarnation(told.incarnation())
        .endpoint(told.endpoint())
        .partitionKey(told.partitionKey())
        .objectFingerprint(told.objectFingerprint())
        .maxMessage(greeting.limits().maxMessageBytes())
        .maxUnasked(greeting.limits().maxUnaskedBytes())
        .address(told.address());
    hello.objects(shortened(told.objects(), packet.buffer().capacity() - hello.limit()));
    finish(packet, incarnation, HEADER + hello.encodedLength());
  }

  /**
   * Appends the acceptance of a flow.
   *
   * @param incarnation of the writer
   */
  public void welcome(Packet packet, long incarnation, Greeting greeting) {
    welcome
        .wrapAndApplyHeader(packet.buffer(), packet.length(), header)
        .flow(greeting.flow())
        .yourFlow(greeting.yourFlow())
        .yourNonceHigh(greeting.yourNonce().high())
        .yourNonceLow(greeting.yourNonce().low())
        .nonceHigh(greeting.nonce().high())
        .nonceLow(greeting.nonce().low())
        .maxMessage(greeting.limits().maxMessageBytes())
        .maxUnasked(greeting.limits().maxUnaskedBytes());
    finish(packet, incarnation, HEADER + WelcomeEncoder.BLOCK_LENGTH);
  }

  /**
   * Appends the refusal of a flow.
   *
   * @param incarnation of the writer
   */
  public void refuse(Packet packet, long incarnation, Refusal refusal) {
    refuse
        .wrapAndApplyHeader(packet.buffer(), packet.length(), header)
        .yourFlow(refusal.yourFlow())
        .errorCode(refusal.errorCode())
        .yourNonceHigh(refusal.yourNonce().high())
        .yourNonceLow(refusal.yourNonce().low());
    refuse.reason(shortened(refusal.reason(), packet.buffer().capacity() - refuse.limit()));
    finish(packet, incarnation, HEADER + refuse.encodedLength());
  }

  private void finish(Packet packet, long incarnation, int frameLength) {
    int at = packet.length();
    MutableDirectBuffer buffer = packet.buffer();
    packet.append(frameLength);
    buffer.putBytes(at + HEADER, proof(buffer, at, frameLength, incarnation));
  }

  /** The text, or its beginning if the packet has no room for all of it. */
  private static String shortened(String text, int roomBytes) {
    int overhead = TEXT_HEADER + PacketLayout.ALIGNMENT;
    if (text.length() <= MAX_TEXT_CHARS && textLength(text) + PacketLayout.ALIGNMENT <= roomBytes) {
      return text;
    }
    int maxChars = Math.min(MAX_TEXT_CHARS, (roomBytes - overhead) / MAX_BYTES_A_CHAR);
    int end = Math.min(maxChars, text.length()) - 1;
    if (end < 1) {
      return "";
    }
    return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end) + "…";
  }

  // ---- reading ----

  private byte[] proof(DirectBuffer buffer, int frameAt, int frameLength, long incarnation) {
    byte[] before = new byte[HEADER];
    byte[] after = new byte[frameLength - HEADER - KeyProof.BYTES];
    buffer.getBytes(frameAt, before);
    buffer.getBytes(frameAt + HEADER + KeyProof.BYTES, after);
    return proofs.over(KeyProof.part(incarnation), before, after);
  }

  /**
   * Whether the writer of the current frame, of the packet's incarnation, has the job's key. False
   * for a frame that is too short for a proof.
   */
  public boolean isProven(FrameCursor frame) {
    int length = frame.frameLength();
    if (length < HEADER + KeyProof.BYTES) {
      return false;
    }
    byte[] told = new byte[KeyProof.BYTES];
    frame.buffer().getBytes(frame.blockAt(), told);
    long incarnation = frame.packet().incarnation();
    return MessageDigest.isEqual(told, proof(frame.buffer(), frame.frameAt(), length, incarnation));
  }

  /** The version of the protocol that a Hello says it speaks, proven or not; -1 if it has none. */
  public int protocolOf(FrameCursor frame) {
    if (frame.frameLength() < HEADER + HelloDecoder.BLOCK_LENGTH) {
      return -1;
    }
    return frame
        .buffer()
        .getInt(frame.blockAt() + HelloDecoder.protocolEncodingOffset(), HelloDecoder.BYTE_ORDER);
  }

  /** The current frame as a Hello; null, and the frame is malformed, if it is none. */
  public Hello readHello(FrameCursor frame) {
    if (!frame.hasBlock(HelloDecoder.BLOCK_LENGTH) || !hasTexts(frame, 2)) {
      return null;
    }
    readHello.wrap(frame.buffer(), frame.blockAt(), HelloDecoder.BLOCK_LENGTH, frame.version());
    Limits limits = limits(frame, readHello.maxMessage(), readHello.maxUnasked());
    if (limits == null) {
      return null;
    }
    // SBE reads variable parts in the order of the schema.
    String address = readHello.address();
    String objects = readHello.objects();
    return new Hello(
        new Greeting(
            readHello.flow(),
            PacketLayout.NO_FLOW,
            new Nonce(readHello.nonceHigh(), readHello.nonceLow()),
            Nonce.NONE,
            limits),
        readHello.protocol(),
        readHello.incarnation(),
        readHello.endpoint(),
        readHello.partitionKey(),
        readHello.objectFingerprint(),
        address,
        objects);
  }

  /** The current frame as a Welcome; null, and the frame is malformed, if it is none. */
  public Greeting readWelcome(FrameCursor frame) {
    if (!frame.hasOnlyBlock(WelcomeDecoder.BLOCK_LENGTH)) {
      return null;
    }
    readWelcome.wrap(frame.buffer(), frame.blockAt(), WelcomeDecoder.BLOCK_LENGTH, frame.version());
    Limits limits = limits(frame, readWelcome.maxMessage(), readWelcome.maxUnasked());
    return limits == null
        ? null
        : new Greeting(
            readWelcome.flow(),
            readWelcome.yourFlow(),
            new Nonce(readWelcome.nonceHigh(), readWelcome.nonceLow()),
            new Nonce(readWelcome.yourNonceHigh(), readWelcome.yourNonceLow()),
            limits);
  }

  private static Limits limits(FrameCursor frame, long maxMessage, long maxUnasked) {
    if (maxMessage < Limits.NO_MESSAGE || maxUnasked < 0) {
      frame.malformed();
      return null;
    }
    return new Limits(maxMessage, maxUnasked);
  }

  /** The current frame as a Refuse; null, and the frame is malformed, if it is none. */
  public Refusal readRefusal(FrameCursor frame) {
    if (!frame.hasBlock(RefuseDecoder.BLOCK_LENGTH) || !hasTexts(frame, 1)) {
      return null;
    }
    readRefuse.wrap(frame.buffer(), frame.blockAt(), RefuseDecoder.BLOCK_LENGTH, frame.version());
    return new Refusal(
        readRefuse.yourFlow(),
        new Nonce(readRefuse.yourNonceHigh(), readRefuse.yourNonceLow()),
        readRefuse.errorCode(),
        readRefuse.reason());
  }

  /** Whether so many texts follow the block and end with the frame. */
  private static boolean hasTexts(FrameCursor frame, int count) {
    int at = frame.payloadAt();
    int left = frame.payloadLength();
    for (int i = 0; i < count; i++) {
      if (left < TEXT_HEADER) {
        frame.malformed();
        return false;
      }
      int length = frame.buffer().getShort(at, HelloDecoder.BYTE_ORDER) & 0xFFFF;
      at += TEXT_HEADER + length;
      left -= TEXT_HEADER + length;
    }
    if (left != 0) {
      frame.malformed();
    }
    return left == 0;
  }
}
