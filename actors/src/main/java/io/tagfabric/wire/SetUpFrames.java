package io.tagfabric.wire;

import io.tagfabric.address.Protocols;
import io.tagfabric.annotation.InternalApi;
import io.tagfabric.cluster.job.KeyProof;
import io.tagfabric.wire.Greeting.Hello;
import io.tagfabric.wire.Greeting.Limits;
import io.tagfabric.wire.Greeting.Nonce;
import io.tagfabric.wire.Greeting.Question;
import io.tagfabric.wire.Greeting.Refusal;
import io.tagfabric.wire.Greeting.Welcome;
import io.tagfabric.wire.sbe.HelloDecoder;
import io.tagfabric.wire.sbe.HelloEncoder;
import io.tagfabric.wire.sbe.MessageHeaderEncoder;
import io.tagfabric.wire.sbe.RefuseDecoder;
import io.tagfabric.wire.sbe.RefuseEncoder;
import io.tagfabric.wire.sbe.WelcomeDecoder;
import io.tagfabric.wire.sbe.WelcomeEncoder;
import java.nio.charset.StandardCharsets;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The frames that set a flow up. Each carries a proof that its writer has the job's key, over the
 * incarnation it speaks for and all other bytes of the frame; the key itself never travels. A frame
 * is decoded only after its proof has held. Single threaded: the domain's loop.
 *
 * <pre>
 *   0        8                       40      44
 *   +--------+-----------------------+-------+------------- - - - -------------+---------- - -
 *   | header | proof (32)            | magic | protocols, flows, nonces, texts | of one protocol
 *   +--------+-----------------------+-------+------------- - - - -------------+---------- - -
 *   |&lt;------ frozen: the same in every version ------------------------- - -&gt;|
 * </pre>
 *
 * <p>What is frozen stands in {@code wire.xml}. It is enough to check the proof of any other
 * build's frame, to refuse its Hello and to read its Refuse.
 */
@InternalApi
public final class SetUpFrames {
  private static final int MAX_TEXT_CHARS = 16_000;
  private static final int MAX_BYTES_A_CHAR = 3;
  private static final int HEADER = MessageHeaderEncoder.ENCODED_LENGTH;
  private static final int TEXT_HEADER = HelloEncoder.objectsHeaderLength();

  private static final int NO_END = -1;

  /** "TGFB": tells these frames from those of builds before they were frozen. */
  private static final int MAGIC = 0x42464754;

  private static final int FROZEN_HELLO = HelloDecoder.objectFingerprintEncodingOffset();
  private static final int FROZEN_WELCOME = WelcomeDecoder.maxMessageEncodingOffset();
  private static final int FROZEN_REFUSE = RefuseDecoder.BLOCK_LENGTH;

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
   * @param proofs by the job's keys
   */
  public SetUpFrames(KeyProof proofs) {
    this.proofs = proofs;
  }

  /** Whether frames of a kind set a flow up. */
  static boolean isSetUp(int kind) {
    return kind == HelloDecoder.TEMPLATE_ID
        || kind == WelcomeDecoder.TEMPLATE_ID
        || kind == RefuseDecoder.TEMPLATE_ID;
  }

  // ---- writing ----

  /** Bytes of a Hello at most; its objects are shortened if a packet has less room. */
  public static int helloLength(Hello told) {
    return HEADER
        + HelloEncoder.BLOCK_LENGTH
        + textLength(told.question().address())
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
   * Appends the request for a flow, proved by the first key.
   *
   * @param incarnation of the writer
   */
  public void hello(Packet packet, long incarnation, Hello told) {
    int at = packet.length();
    Question question = told.question();
    hello
        .wrapAndApplyHeader(packet.buffer(), at, header)
        .magic(MAGIC)
        .least((short) question.protocols().least())
        .most((short) question.protocols().most())
        .flow(question.flow())
        .endpoint(question.endpoint())
        .nonceHigh(question.nonce().high())
        .nonceLow(question.nonce().low())
        .incarnation(question.incarnation())
        .objectFingerprint(told.objectFingerprint())
        .maxMessage(told.limits().maxMessageBytes())
        .maxUnasked(told.limits().maxUnaskedBytes())
        .partitionKey(told.partitionKey())
        .address(question.address());
    hello.objects(shortened(told.objects(), packet.buffer().capacity() - hello.limit()));
    finish(packet, incarnation, HEADER + hello.encodedLength(), 0);
  }

  /**
   * Appends the acceptance of a flow.
   *
   * @param incarnation of the writer
   * @param key which of the job's keys proves it: that of the Hello
   */
  public void welcome(Packet packet, long incarnation, Welcome told, int key) {
    welcome
        .wrapAndApplyHeader(packet.buffer(), packet.length(), header)
        .magic(MAGIC)
        .protocol(told.protocol())
        .flow(told.flow())
        .yourFlow(told.yourFlow())
        .yourNonceHigh(told.yourNonce().high())
        .yourNonceLow(told.yourNonce().low())
        .nonceHigh(told.nonce().high())
        .nonceLow(told.nonce().low())
        .maxMessage(told.limits().maxMessageBytes())
        .maxUnasked(told.limits().maxUnaskedBytes());
    finish(packet, incarnation, HEADER + WelcomeEncoder.BLOCK_LENGTH, key);
  }

  /**
   * Appends the refusal of a flow.
   *
   * @param incarnation of the writer
   * @param key which of the job's keys proves it: that of the Hello
   */
  public void refuse(Packet packet, long incarnation, Refusal refusal, int key) {
    refuse
        .wrapAndApplyHeader(packet.buffer(), packet.length(), header)
        .magic(MAGIC)
        .least((short) refusal.protocols().least())
        .most((short) refusal.protocols().most())
        .yourFlow(refusal.yourFlow())
        .errorCode(refusal.errorCode())
        .yourNonceHigh(refusal.yourNonce().high())
        .yourNonceLow(refusal.yourNonce().low());
    refuse.reason(shortened(refusal.reason(), packet.buffer().capacity() - refuse.limit()));
    finish(packet, incarnation, HEADER + refuse.encodedLength(), key);
  }

  private void finish(Packet packet, long incarnation, int frameLength, int key) {
    int at = packet.length();
    MutableDirectBuffer buffer = packet.buffer();
    packet.append(frameLength);
    buffer.putBytes(at + HEADER, proofs.over(key, proven(buffer, at, frameLength, incarnation)));
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

  /** What a proof is over. */
  private static byte[][] proven(
      DirectBuffer buffer, int frameAt, int frameLength, long incarnation) {
    byte[] before = new byte[HEADER];
    byte[] after = new byte[frameLength - HEADER - KeyProof.BYTES];
    buffer.getBytes(frameAt, before);
    buffer.getBytes(frameAt + HEADER + KeyProof.BYTES, after);
    return new byte[][] {KeyProof.part(incarnation), before, after};
  }

  /** Whether the writer of the current frame has one of the job's keys. */
  public boolean isProven(FrameCursor frame) {
    return keyOf(frame) != KeyProof.NO_KEY;
  }

  /**
   * By which of the job's keys the writer of the current frame, of the packet's incarnation, has
   * proved it; {@link KeyProof#NO_KEY} if by none, or if the frame is too short for a proof.
   */
  public int keyOf(FrameCursor frame) {
    int length = frame.frameLength();
    if (length < HEADER + KeyProof.BYTES) {
      return KeyProof.NO_KEY;
    }
    byte[] told = new byte[KeyProof.BYTES];
    frame.buffer().getBytes(frame.blockAt(), told);
    long incarnation = frame.packet().incarnation();
    return proofs.keyOf(told, proven(frame.buffer(), frame.frameAt(), length, incarnation));
  }

  /**
   * What is frozen of the current frame as a Hello, whichever protocols its writer speaks; null,
   * and the frame is malformed, if it is none.
   */
  public Question readQuestion(FrameCursor frame) {
    if (!frame.beginsWith(FROZEN_HELLO) || !hasText(frame)) {
      return null;
    }
    readHello.wrap(frame.buffer(), frame.blockAt(), frame.blockLength(), frame.version());
    Protocols protocols = protocols(frame, readHello.magic(), readHello.least(), readHello.most());
    return protocols == null
        ? null
        : new Question(
            protocols,
            readHello.flow(),
            readHello.endpoint(),
            new Nonce(readHello.nonceHigh(), readHello.nonceLow()),
            readHello.incarnation(),
            readHello.address());
  }

  private static Protocols protocols(FrameCursor frame, int magic, int least, int most) {
    if (magic != MAGIC || least < 1 || most < least) {
      frame.malformed();
      return null;
    }
    return new Protocols(least, most);
  }

  /**
   * The rest of a Hello whose protocol this build speaks; null, and the frame is malformed, if it
   * does not follow it.
   *
   * @param question what {@link #readQuestion} has read of the current frame
   */
  public Hello readHello(FrameCursor frame, Question question) {
    if (!frame.hasBlock(HelloDecoder.BLOCK_LENGTH) || !hasTwoTexts(frame)) {
      return null;
    }
    readHello.wrap(frame.buffer(), frame.blockAt(), HelloDecoder.BLOCK_LENGTH, frame.version());
    Limits limits = limits(frame, readHello.maxMessage(), readHello.maxUnasked());
    if (limits == null) {
      return null;
    }
    // SBE reads variable parts in the order of the schema.
    readHello.skipAddress();
    return new Hello(
        question,
        limits,
        readHello.partitionKey(),
        readHello.objectFingerprint(),
        readHello.objects());
  }

  /**
   * The current frame as a Welcome; null if it is none, and the frame is malformed, or if it
   * chooses a protocol that was not offered.
   */
  public Welcome readWelcome(FrameCursor frame, Protocols offered) {
    if (!frame.beginsWith(FROZEN_WELCOME)) {
      return null;
    }
    readWelcome.wrap(frame.buffer(), frame.blockAt(), frame.blockLength(), frame.version());
    if (readWelcome.magic() != MAGIC
        || !offered.contains(readWelcome.protocol())
        || !frame.hasOnlyBlock(WelcomeDecoder.BLOCK_LENGTH)) {
      return null;
    }
    Limits limits = limits(frame, readWelcome.maxMessage(), readWelcome.maxUnasked());
    return limits == null
        ? null
        : new Welcome(
            readWelcome.protocol(),
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

  /**
   * The current frame as a Refuse, whichever protocols its writer speaks; null, and the frame is
   * malformed, if it is none.
   */
  public Refusal readRefusal(FrameCursor frame) {
    if (!frame.beginsWith(FROZEN_REFUSE) || !hasText(frame)) {
      return null;
    }
    readRefuse.wrap(frame.buffer(), frame.blockAt(), frame.blockLength(), frame.version());
    Protocols protocols =
        protocols(frame, readRefuse.magic(), readRefuse.least(), readRefuse.most());
    return protocols == null
        ? null
        : new Refusal(
            protocols,
            readRefuse.yourFlow(),
            new Nonce(readRefuse.yourNonceHigh(), readRefuse.yourNonceLow()),
            readRefuse.errorCode(),
            readRefuse.reason());
  }

  /** Whether a text follows the block. */
  private static boolean hasText(FrameCursor frame) {
    return isWithin(frame, textEnd(frame, 0));
  }

  /** Whether two texts follow the block and end with the frame. */
  private static boolean hasTwoTexts(FrameCursor frame) {
    int end = textEnd(frame, textEnd(frame, 0));
    return isWithin(frame, end == frame.payloadLength() ? end : NO_END);
  }

  private static boolean isWithin(FrameCursor frame, int end) {
    if (end == NO_END) {
      frame.malformed();
    }
    return end != NO_END;
  }

  /** Where in the payload the text ends that begins there, {@link #NO_END} if it does not. */
  private static int textEnd(FrameCursor frame, int at) {
    int left = frame.payloadLength() - at;
    if (at == NO_END || left < TEXT_HEADER) {
      return NO_END;
    }
    int length = frame.buffer().getShort(frame.payloadAt() + at, HelloDecoder.BYTE_ORDER) & 0xFFFF;
    return length > left - TEXT_HEADER ? NO_END : at + TEXT_HEADER + length;
  }
}
