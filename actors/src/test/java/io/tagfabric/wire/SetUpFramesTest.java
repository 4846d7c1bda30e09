package io.tagfabric.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.address.Protocols;
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
import io.tagfabric.wire.sbe.PacketHeaderEncoder;
import io.tagfabric.wire.sbe.RefuseDecoder;
import io.tagfabric.wire.sbe.RefuseEncoder;
import io.tagfabric.wire.sbe.WelcomeDecoder;
import io.tagfabric.wire.sbe.WelcomeEncoder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.Consumer;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.agrona.concurrent.UnsafeBuffer;

/** The frames that set a flow up: what they carry, and what proves who wrote them. */
class SetUpFramesTest {
  private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;
  private static final UUID KEY = new UUID(0x0123456789abcdefL, 0xfedcba9876543210L);
  private static final String PURPOSE = "flow";
  private static final long INCARNATION = 0x5eed_1234_5678L;
  private static final int HEADER = MessageHeaderEncoder.ENCODED_LENGTH;
  private static final int FRAME_AT = Packet.HEADER_LENGTH;
  private static final int LARGEST = 8 * 1024;

  private final PacketPool pool = new PacketPool(512, LARGEST);
  private final FrameCursor cursor = new FrameCursor();
  private final SetUpFrames frames = new SetUpFrames(new KeyProof(KEY, PURPOSE));

  private static Question question(String address) {
    return new Question(new Protocols(7, 9), 3, 9, new Nonce(1, -2), 77, address);
  }

  private static Hello hello(String address, String objects) {
    return new Hello(question(address), new Limits(4_000, 5), -5, 6, objects);
  }

  private static Welcome welcome() {
    return new Welcome(8, 3, 4, new Nonce(1, -2), new Nonce(7, 8), new Limits(4_000, 5));
  }

  private static Refusal refusal(String reason) {
    return new Refusal(new Protocols(10, 11), 3, new Nonce(7, 8), 129, reason);
  }

  private byte[] packet(int frameBytes, Consumer<Packet> frame) {
    Packet sent = pool.single(frameBytes);
    frame.accept(sent);
    new FrameWriter().sealUncounted(sent, INCARNATION, 12);
    assertThat(sent.frameCount()).isEqualTo(1);
    return Arrays.copyOf(sent.array(), sent.length());
  }

  private byte[] helloPacket(Hello told) {
    return packet(SetUpFrames.helloLength(told), sent -> frames.hello(sent, INCARNATION, told));
  }

  private byte[] welcomePacket(Welcome told) {
    return packet(SetUpFrames.welcomeLength(), sent -> frames.welcome(sent, INCARNATION, told, 0));
  }

  private byte[] refusePacket(Refusal told) {
    return packet(
        SetUpFrames.refuseLength(told.reason()), sent -> frames.refuse(sent, INCARNATION, told, 0));
  }

  private List<byte[]> oneOfEach() {
    return List.of(
        helloPacket(hello("address", "objects")),
        welcomePacket(welcome()),
        refusePacket(refusal("because")));
  }

  private int show(byte[] packet) {
    return cursor.wrap(Packet.received(packet)) ? cursor.nextFrame() : 0;
  }

  private boolean isProven(byte[] packet) {
    return show(packet) != 0 && frames.isProven(cursor);
  }

  private void assertWhole() {
    assertThat(cursor.isMalformed()).isFalse();
    assertThat(cursor.nextFrame()).isZero();
    assertThat(cursor.isMalformed()).isFalse();
  }

  // ---- round trip ----

  @Property(tries = 200)
  void shouldReadAHelloAsItWasWritten(
      @ForAll int flow,
      @ForAll int number,
      @ForAll long high,
      @ForAll long low,
      @ForAll @LongRange(min = 0, max = Long.MAX_VALUE) long maxMessage,
      @ForAll @LongRange(min = 0, max = Long.MAX_VALUE) long maxUnasked,
      @ForAll @StringLength(max = 50) String address,
      @ForAll @StringLength(max = 200) String objects) {
    // What is no character at all becomes a question mark.
    Question question =
        new Question(
            new Protocols(1 + (flow & 0xFFF), 0x1000 + (number & 0xFFF)),
            flow,
            ~number,
            new Nonce(high, low),
            low ^ 1,
            utf8(address));
    Hello told =
        new Hello(
            question, new Limits(maxMessage, maxUnasked), flow - number, high ^ low, utf8(objects));

    assertThat(show(helloPacket(told))).isEqualTo(HelloDecoder.TEMPLATE_ID);
    assertThat(frames.isProven(cursor)).isTrue();
    assertThat(readHello()).isEqualTo(told);
    assertWhole();
  }

  private Hello readHello() {
    Question question = frames.readQuestion(cursor);
    return question == null ? null : frames.readHello(cursor, question);
  }

  private Welcome readWelcome() {
    return frames.readWelcome(cursor, new Protocols(7, 9));
  }

  private static String utf8(String text) {
    return new String(KeyProof.part(text), StandardCharsets.UTF_8);
  }

  @Property(tries = 200)
  void shouldReadAWelcomeAsItWasWritten(
      @ForAll int flow,
      @ForAll int yourFlow,
      @ForAll long high,
      @ForAll long low,
      @ForAll @IntRange(min = 7, max = 9) int protocol,
      @ForAll @LongRange(min = 0, max = Long.MAX_VALUE) long maxMessage) {
    Welcome told =
        new Welcome(
            protocol,
            flow,
            yourFlow,
            new Nonce(high, low),
            new Nonce(~low, ~high),
            new Limits(maxMessage, maxMessage / 2));

    assertThat(show(welcomePacket(told))).isEqualTo(WelcomeDecoder.TEMPLATE_ID);
    assertThat(frames.isProven(cursor)).isTrue();
    assertThat(readWelcome()).isEqualTo(told);
    assertWhole();
  }

  @Property(tries = 200)
  void shouldReadARefusalAsItWasWritten(
      @ForAll int flow,
      @ForAll int code,
      @ForAll long high,
      @ForAll long low,
      @ForAll @StringLength(max = 200) String reason) {
    Refusal told = new Refusal(new Protocols(3, 4), flow, new Nonce(high, low), code, utf8(reason));

    assertThat(show(refusePacket(told))).isEqualTo(RefuseDecoder.TEMPLATE_ID);
    assertThat(frames.isProven(cursor)).isTrue();
    assertThat(frames.readRefusal(cursor)).isEqualTo(told);
    assertWhole();
  }

  @Example
  void shouldShortenTheObjectsWhenThePacketHasNoRoomForThem() {
    Hello told = hello("address ż", "ż".repeat(100_000));
    byte[] packet =
        packet(LARGEST - Packet.HEADER_LENGTH, sent -> frames.hello(sent, INCARNATION, told));

    assertThat(isProven(packet)).isTrue();
    Hello read = readHello();
    assertThat(read.objects()).hasSizeGreaterThan(2_000).startsWith("żż").endsWith("ż…");
    assertThat(read).isEqualTo(hello("address ż", read.objects()));
    assertWhole();
  }

  @Example
  void shouldShortenTheReasonWhenThePacketHasNoRoomForIt() {
    Refusal told = refusal("because " + "x".repeat(10_000));
    byte[] packet = packet(200, sent -> frames.refuse(sent, INCARNATION, told, 0));

    assertThat(isProven(packet)).isTrue();
    Refusal read = frames.readRefusal(cursor);
    assertThat(read.reason()).startsWith("because x").endsWith("x…");
    assertThat(read).isEqualTo(refusal(read.reason()));
    assertWhole();
  }

  @Example
  void shouldShortenATextThatNoLengthCanTell() {
    PacketPool large = new PacketPool(512, 400_000);
    Packet sent = large.single(300_000);
    frames.refuse(sent, INCARNATION, refusal("x".repeat(70_000)), 0);
    new FrameWriter().sealUncounted(sent, INCARNATION, 12);

    assertThat(cursor.wrap(sent)).isTrue();
    assertThat(cursor.nextFrame()).isEqualTo(RefuseDecoder.TEMPLATE_ID);
    assertThat(frames.isProven(cursor)).isTrue();
    assertThat(frames.readRefusal(cursor).reason()).hasSize(16_000).endsWith("x…");
  }

  // ---- the proof ----

  @Example
  void shouldBreakTheProofWhenAnyBitOfAFrameIsFlipped() {
    for (byte[] packet : oneOfEach()) {
      assertThat(isProven(packet)).isTrue();
      int end = FRAME_AT + cursor.frameLength();
      for (int bit = 8 * FRAME_AT; bit < 8 * end; bit++) {
        byte[] flipped = packet.clone();
        flipped[bit / 8] ^= (byte) (1 << bit % 8);

        assertThat(isProven(flipped)).as("bit %d of byte %d", bit % 8, bit / 8).isFalse();
      }
    }
  }

  @Example
  void shouldBreakTheProofWhenAnotherIncarnationSpeaks() {
    int at = HEADER + PacketHeaderEncoder.incarnationEncodingOffset();
    for (byte[] packet : oneOfEach()) {
      for (int bit = 8 * at; bit < 8 * (at + Long.BYTES); bit++) {
        byte[] flipped = packet.clone();
        flipped[bit / 8] ^= (byte) (1 << bit % 8);

        assertThat(isProven(flipped)).isFalse();
      }
    }
  }

  @Example
  void shouldBreakTheProofWhenTheKeyOrThePurposeIsAnother() {
    UUID other = new UUID(KEY.getMostSignificantBits(), KEY.getLeastSignificantBits() ^ 1);
    for (byte[] packet : oneOfEach()) {
      assertThat(show(packet)).isNotZero();
      assertThat(new SetUpFrames(new KeyProof(other, PURPOSE)).isProven(cursor)).isFalse();
      assertThat(new SetUpFrames(new KeyProof(KEY, "names")).isProven(cursor)).isFalse();
      assertThat(new SetUpFrames(new KeyProof(KEY, PURPOSE)).isProven(cursor)).isTrue();
    }
  }

  @Example
  void shouldNotBeProvenWhenAFrameIsTooShortForAProof() {
    for (int length = HEADER; length <= HEADER + KeyProof.BYTES; length++) {
      byte[] packet = new byte[FRAME_AT + PacketLayout.aligned(length)];
      Packet sent = Packet.received(packet);
      new FrameWriter().sealUncounted(sent, INCARNATION, 12);
      new MessageHeaderEncoder()
          .wrap(sent.buffer(), FRAME_AT)
          .frameLength(length)
          .blockLength((short) (length - HEADER))
          .templateId(HelloDecoder.TEMPLATE_ID)
          .schemaId(HelloDecoder.SCHEMA_ID)
          .version(HelloDecoder.SCHEMA_VERSION);

      assertThat(show(packet)).isEqualTo(HelloDecoder.TEMPLATE_ID);
      assertThat(frames.isProven(cursor)).as("length %d", length).isFalse();
      assertThat(frames.readQuestion(cursor)).isNull();
      assertThat(cursor.isMalformed()).isTrue();
    }
  }

  @Example
  void shouldNotCarryTheKey() {
    long high = KEY.getMostSignificantBits();
    long low = KEY.getLeastSignificantBits();
    for (byte[] packet : oneOfEach()) {
      String digits = HexFormat.of().formatHex(packet);
      for (long half : new long[] {high, low, Long.reverseBytes(high), Long.reverseBytes(low)}) {
        byte[] bytes = ByteBuffer.allocate(Long.BYTES).putLong(half).array();
        assertThat(digits).doesNotContain(HexFormat.of().formatHex(bytes));
      }
      assertThat(digits).doesNotContain(HexFormat.of().formatHex(KeyProof.part(KEY.toString())));
    }
  }

  // ---- what is frozen ----

  /**
   * A packet of a build that nobody has written yet: another version of the schema, a longer block,
   * other bytes behind what is frozen, and a frame of an unknown kind behind the set-up frame.
   *
   * @param ours a packet of this build
   * @param frozenBytes of the block
   * @param text that follows the block
   */
  private byte[] later(byte[] ours, int frozenBytes, String text, byte[] unknown) {
    int block = PacketLayout.aligned(frozenBytes) + 40;
    byte[] utf8 = KeyProof.part(text);
    int frame = HEADER + block + Short.BYTES + utf8.length + unknown.length;
    byte[] packet = Arrays.copyOf(ours, FRAME_AT + PacketLayout.aligned(frame) + HEADER);
    Arrays.fill(packet, FRAME_AT + HEADER + frozenBytes, packet.length, (byte) 0xEE);
    UnsafeBuffer buffer = new UnsafeBuffer(packet);
    int textAt = FRAME_AT + HEADER + block;
    buffer.putShort(textAt, (short) utf8.length, ORDER);
    buffer.putBytes(textAt + Short.BYTES, utf8);
    buffer.putBytes(textAt + Short.BYTES + utf8.length, unknown);
    MessageHeaderEncoder header = new MessageHeaderEncoder();
    header.wrap(buffer, 0).frameLength(packet.length).version((short) 9);
    header.wrap(buffer, FRAME_AT).frameLength(frame).blockLength((short) block).version((short) 9);
    byte[] before = Arrays.copyOfRange(packet, FRAME_AT, FRAME_AT + HEADER);
    byte[] after = Arrays.copyOfRange(packet, FRAME_AT + HEADER + KeyProof.BYTES, FRAME_AT + frame);
    buffer.putBytes(
        FRAME_AT + HEADER,
        new KeyProof(KEY, PURPOSE).over(KeyProof.part(INCARNATION), before, after));
    return packet;
  }

  private byte[] laterHello(byte[] unknown) {
    return later(
        helloPacket(hello("x", "objects")),
        HelloEncoder.objectFingerprintEncodingOffset(),
        "address",
        unknown);
  }

  @Property(tries = 200)
  void shouldReadTheQuestionOfALaterBuildAndItsProofOverAllBytes(
      @ForAll @Size(max = 100) byte[] unknown, @ForAll @IntRange(max = 10_000) int bit) {
    byte[] packet = laterHello(unknown);

    assertThat(cursor.wrap(Packet.received(packet))).isFalse();
    assertThat(cursor.wrapSetUp(Packet.received(packet))).isEqualTo(HelloDecoder.TEMPLATE_ID);
    assertThat(cursor.packet().incarnation()).isEqualTo(INCARNATION);
    assertThat(frames.isProven(cursor)).isTrue();
    Question question = frames.readQuestion(cursor);
    assertThat(question).isEqualTo(question("address"));
    int flipped = bit % (8 * cursor.frameLength());
    packet[FRAME_AT + flipped / 8] ^= (byte) (1 << flipped % 8);
    boolean proven = cursor.wrapSetUp(Packet.received(packet)) != 0 && frames.isProven(cursor);
    assertThat(proven).isFalse();

    assertThat(cursor.wrapSetUp(Packet.received(laterHello(unknown))))
        .isEqualTo(HelloDecoder.TEMPLATE_ID);
    assertThat(frames.readHello(cursor, question)).isNull();
  }

  @Example
  void shouldReadTheRefusalOfALaterBuildAndDropAWelcomeThatWasNotOffered() {
    byte[] refuse = later(refusePacket(refusal("x")), 64, "because", new byte[] {1, 2, 3});
    assertThat(cursor.wrapSetUp(Packet.received(refuse))).isEqualTo(RefuseDecoder.TEMPLATE_ID);
    assertThat(frames.isProven(cursor)).isTrue();
    assertThat(frames.readRefusal(cursor)).isEqualTo(refusal("because"));

    assertThat(show(welcomePacket(welcome()))).isEqualTo(WelcomeDecoder.TEMPLATE_ID);
    assertThat(frames.readWelcome(cursor, new Protocols(7, 7))).isNull();
    assertThat(frames.readWelcome(cursor, new Protocols(9, 9))).isNull();
    assertThat(frames.readWelcome(cursor, new Protocols(8, 8))).isEqualTo(welcome());
  }

  @Example
  void shouldTakeNoOtherPacketOfALaterBuild() {
    byte[] packet = laterHello(new byte[0]);
    UnsafeBuffer buffer = new UnsafeBuffer(packet);
    int sequenceAt = HEADER + PacketHeaderEncoder.sequenceEncodingOffset();
    buffer.putLong(sequenceAt, 1, ORDER);
    assertThat(cursor.wrapSetUp(Packet.received(packet))).isZero();
    buffer.putLong(sequenceAt, -1, ORDER);
    assertThat(cursor.wrapSetUp(Packet.received(packet))).isEqualTo(HelloDecoder.TEMPLATE_ID);
    for (int kind = 0; kind < 256; kind++) {
      new MessageHeaderEncoder().wrap(buffer, FRAME_AT).templateId((short) kind);
      assertThat(cursor.wrapSetUp(Packet.received(packet)))
          .isEqualTo(kind >= 6 && kind <= 8 ? kind : 0);
    }
  }

  /** These bytes never change: a node that runs such a build may still be asked. */
  @Example
  void shouldWriteWhatIsFrozenByteForByte() {
    assertThat(frozen(helloPacket(hello("address", "objects")), 72))
        .isEqualTo(
            "78563412ed5e0000000000000000000000000000000000000c000000ffffffff"
                + "00000000000000000000000000000000 5447464207000900030000000900000"
                + "00100000000000000feffffffffffffff4d00000000000000");
    assertThat(frozen(welcomePacket(welcome()), 80))
        .isEqualTo(
            "78563412ed5e0000000000000000000000000000000000000c000000ffffffff"
                + "00000000000000000000000000000000 5447464208000000030000000400000"
                + "0070000000000000008000000000000000100000000000000fefffffffffffff"
                + "f");
    assertThat(frozen(refusePacket(refusal("because")), 64))
        .isEqualTo(
            "78563412ed5e0000000000000000000000000000000000000c000000ffffffff"
                + "00000000000000000000000000000000 544746420a000b00030000008100000"
                + "007000000000000000800000000000000");
  }

  /** A whole packet of a later build, as {@link #laterHello} made it when the form was frozen. */
  @Example
  void shouldReadWhatWasFrozenByteForByte() {
    byte[] packet =
        HexFormat.of()
            .parseHex(
                "c80000003001740978563412ed5e000000000000000000000000000000000000"
                    + "0c000000ffffffff000000000000000000000000000000008400000070067409"
                    + "c72de42259ec5fc2d0bec30b67746dfe5d6a9abd9952a847221646ef05ae1608"
                    + "544746420700090003000000090000000100000000000000feffffffffffffff"
                    + "4d00000000000000eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
                    + "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee070061646472657373010203eeeeeeee"
                    + "eeeeeeeeeeeeeeee");

    assertThat(cursor.wrapSetUp(Packet.received(packet))).isEqualTo(HelloDecoder.TEMPLATE_ID);
    assertThat(frames.isProven(cursor)).isTrue();
    assertThat(frames.readQuestion(cursor)).isEqualTo(question("address"));
  }

  /** The packet's header without its length and version, and the frame's block behind the proof. */
  private static String frozen(byte[] packet, int blockBytes) {
    HexFormat hex = HexFormat.of();
    return hex.formatHex(packet, 8, FRAME_AT)
        + " "
        + hex.formatHex(packet, FRAME_AT + HEADER + KeyProof.BYTES, FRAME_AT + HEADER + blockBytes);
  }

  // ---- what does not follow the schema ----

  @Property(tries = 300)
  void shouldBeMalformedWhenTheLengthOfATextDoesNotFit(
      @ForAll @IntRange(max = 0xFFFF) int length, @ForAll @IntRange(max = 2) int text) {
    String address = "address";
    byte[] packet =
        text == 2 ? refusePacket(refusal("because")) : helloPacket(hello(address, "objects"));
    int at =
        switch (text) {
          case 0 -> HelloEncoder.BLOCK_LENGTH;
          case 1 ->
              HelloEncoder.BLOCK_LENGTH + HelloEncoder.addressHeaderLength() + address.length();
          default -> RefuseEncoder.BLOCK_LENGTH;
        };
    new UnsafeBuffer(packet).putShort(FRAME_AT + HEADER + at, (short) length, ORDER);
    // bytes behind a text that is frozen may be a later build's
    boolean fits =
        text == 2
            ? length <= "because".length()
            : length == (text == 0 ? address : "objects").length();

    assertThat(show(packet)).isNotZero();
    Object read = text == 2 ? frames.readRefusal(cursor) : readHello();
    assertThat(read != null).isEqualTo(fits);
    assertThat(cursor.isMalformed()).isEqualTo(!fits);
  }

  @Example
  void shouldBeMalformedWhenTheFrameIsCutInItsTexts() {
    byte[] hello = helloPacket(hello("address", "objects"));
    assertThat(show(hello)).isEqualTo(HelloDecoder.TEMPLATE_ID);
    int whole = cursor.frameLength();
    for (int length = HEADER; length < whole; length++) {
      new UnsafeBuffer(hello).putInt(FRAME_AT, length, ORDER);
      boolean hasBlock = length >= HEADER + HelloEncoder.BLOCK_LENGTH;

      assertThat(show(hello) != 0).isEqualTo(hasBlock);
      if (hasBlock) {
        assertThat(readHello()).isNull();
      }
      assertThat(cursor.isMalformed()).isTrue();
    }
  }

  @Example
  void shouldBeMalformedWhenALimitIsNegative() {
    byte[] hello = helloPacket(hello("address", "objects"));
    new UnsafeBuffer(hello)
        .putLong(FRAME_AT + HEADER + HelloEncoder.maxMessageEncodingOffset(), -2, ORDER);
    assertThat(show(hello)).isEqualTo(HelloDecoder.TEMPLATE_ID);
    assertThat(readHello()).isNull();
    assertThat(cursor.isMalformed()).isTrue();

    byte[] welcome = welcomePacket(welcome());
    new UnsafeBuffer(welcome)
        .putLong(FRAME_AT + HEADER + WelcomeEncoder.maxUnaskedEncodingOffset(), -1, ORDER);
    assertThat(show(welcome)).isEqualTo(WelcomeDecoder.TEMPLATE_ID);
    assertThat(readWelcome()).isNull();
    assertThat(cursor.isMalformed()).isTrue();
  }

  @Example
  void shouldBeMalformedWhenBytesFollowAWelcome() {
    byte[] packet = Arrays.copyOf(welcomePacket(welcome()), 400);
    new FrameWriter().seal(Packet.received(packet));
    new UnsafeBuffer(packet).putInt(FRAME_AT, HEADER + WelcomeEncoder.BLOCK_LENGTH + 1, ORDER);

    assertThat(show(packet)).isEqualTo(WelcomeDecoder.TEMPLATE_ID);
    assertThat(readWelcome()).isNull();
    assertThat(cursor.isMalformed()).isTrue();
  }

  @Property(tries = 1_000)
  void shouldStayInsideWhenBytesAreChanged(
      @ForAll @IntRange(max = 2) int which,
      @ForAll @IntRange(min = 1, max = 6) int changes,
      @ForAll long seed) {
    Random random = new Random(seed);
    byte[] packet = oneOfEach().get(which);
    for (int i = 0; i < changes; i++) {
      packet[FRAME_AT + random.nextInt(packet.length - FRAME_AT)] = (byte) random.nextInt();
    }
    if (random.nextBoolean()) {
      packet = Arrays.copyOf(packet, FRAME_AT + random.nextInt(packet.length - FRAME_AT));
      new FrameWriter().seal(Packet.received(packet));
    }

    if (show(packet) != 0) {
      frames.isProven(cursor);
      readHello();
    }
    if (show(packet) != 0) {
      readWelcome();
    }
    if (show(packet) != 0) {
      frames.readRefusal(cursor);
    }
  }
}
