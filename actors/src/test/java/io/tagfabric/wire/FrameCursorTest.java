package io.tagfabric.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.wire.WrittenFrames.Frame;
import io.tagfabric.wire.WrittenFrames.Kind;
import io.tagfabric.wire.sbe.EagerFirstEncoder;
import io.tagfabric.wire.sbe.MessageHeaderEncoder;
import io.tagfabric.wire.sbe.PacketHeaderEncoder;
import io.tagfabric.wire.sbe.PlacedEncoder;
import io.tagfabric.wire.sbe.RequestToSendEncoder;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Whatever comes, nothing outside of the packet is read and nothing is thrown: a packet that does
 * not follow the schema is told from one that does.
 */
class FrameCursorTest {
  private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;
  private static final int HEADER = MessageHeaderEncoder.ENCODED_LENGTH;
  private static final int FRAME_AT = Packet.HEADER_LENGTH;
  private static final int BLOCK_AT = FRAME_AT + HEADER;
  private static final int LENGTH_AT = MessageHeaderEncoder.frameLengthEncodingOffset();
  private static final int BLOCK_LENGTH_AT = MessageHeaderEncoder.blockLengthEncodingOffset();
  private static final int KIND_AT = MessageHeaderEncoder.templateIdEncodingOffset();
  private static final int SCHEMA_AT = MessageHeaderEncoder.schemaIdEncodingOffset();

  private final WrittenFrames written = new WrittenFrames();
  private final ReadFrames read = new ReadFrames();

  @Provide
  Arbitrary<List<Frame>> frames() {
    return WrittenFrames.arbitrary();
  }

  private byte[] packet(List<Frame> frames) {
    Packet sent = written.write(frames);
    byte[] packet = Arrays.copyOf(sent.array(), sent.length());
    sent.release();
    return packet;
  }

  /** Reads a packet that lies among others; the bounds of the view would throw. */
  private boolean read(byte[] packet) {
    byte[] memory = new byte[packet.length + 512];
    Arrays.fill(memory, (byte) 2);
    System.arraycopy(packet, 0, memory, 128, packet.length);
    Packet view = Packet.view();
    view.show(new UnsafeBuffer(memory), 128, packet.length);
    boolean whole = read.read(view);

    assertThat(read.read(Packet.received(packet))).isEqualTo(whole);
    return whole;
  }

  @Property(tries = 1_000)
  void shouldStayInsideWhenBytesAreChangedAndCut(
      @ForAll("frames") List<Frame> frames,
      @ForAll @IntRange(max = 8) int changes,
      @ForAll boolean isCut,
      @ForAll long seed) {
    Random random = new Random(seed);
    byte[] packet = packet(frames);
    if (isCut) {
      packet = Arrays.copyOf(packet, random.nextInt(packet.length + 1));
    }
    for (int i = 0; i < changes && packet.length > FRAME_AT; i++) {
      int at = FRAME_AT + random.nextInt(packet.length - FRAME_AT);
      // Small numbers make lengths and kinds that nearly fit.
      packet[at] = (byte) random.nextInt(random.nextBoolean() ? 256 : 24);
    }
    if (packet.length >= FRAME_AT) {
      new FrameWriter().seal(Packet.received(packet));
    }

    boolean whole = read(packet);

    if (changes == 0 && !isCut) {
      assertThat(whole).isTrue();
      assertThat(read.calls()).isEqualTo(written.expected);
    }
  }

  @Property(tries = 1_000)
  void shouldStayInsideWhenAFramesHeaderIsChanged(
      @ForAll("frames") List<Frame> frames,
      @ForAll @IntRange(max = HEADER - 1) int at,
      @ForAll byte value,
      @ForAll long seed) {
    byte[] packet = packet(frames);
    if (frames.isEmpty()) {
      return;
    }
    int frameAt = FRAME_AT;
    int chosen = new Random(seed).nextInt(frames.size());
    for (int i = 0; i < chosen; i++) {
      frameAt += WrittenFrames.lengthOf(frames.get(i));
    }
    packet[frameAt + at] = value;

    read(packet);

    assertThat(read.calls()).hasSizeGreaterThanOrEqualTo(chosen);
    assertThat(read.calls().subList(0, chosen)).isEqualTo(written.expected.subList(0, chosen));
  }

  @Property(tries = 500)
  void shouldStayInsideWhenBytesAreRandom(@ForAll byte[] bytes, @ForAll boolean ours) {
    byte[] packet = bytes;
    if (ours) {
      packet = new byte[FRAME_AT + bytes.length];
      System.arraycopy(bytes, 0, packet, FRAME_AT, bytes.length);
      new FrameWriter().seal(Packet.received(packet)).sequence(1);
      if (bytes.length > SCHEMA_AT) {
        packet[FRAME_AT + SCHEMA_AT] = (byte) PacketHeaderEncoder.SCHEMA_ID;
      }
    }

    boolean whole = read(packet);

    if (!ours && bytes.length < FRAME_AT) {
      assertThat(whole).isFalse();
    }
  }

  private static List<Frame> one(Kind kind, int length) {
    return List.of(new Frame(kind, 5, 6, length), new Frame(Kind.FINISH, 1, 2, 3));
  }

  private void assertBreaksOff(byte[] packet) {
    assertThat(read(packet)).isFalse();
    assertThat(read.calls()).isEmpty();
    assertThat(read.cursor.isMalformed()).isTrue();
  }

  @Example
  void shouldBreakOffWhenALengthDoesNotFit() {
    int whole = WrittenFrames.lengthOf(one(Kind.EAGER, 10).get(0)) + FrameWriter.finishLength();
    for (int length : new int[] {0, 1, HEADER - 1, HEADER, 27, whole + 1, -1, Integer.MIN_VALUE}) {
      byte[] packet = packet(one(Kind.EAGER, 10));
      new UnsafeBuffer(packet).putInt(FRAME_AT + LENGTH_AT, length, ORDER);

      assertBreaksOff(packet);
    }
  }

  @Example
  void shouldBreakOffWhenAHeaderIsCut() {
    for (int left = 1; left < HEADER; left++) {
      byte[] packet = Arrays.copyOf(packet(one(Kind.EAGER, 10)), FRAME_AT + left);
      new FrameWriter().seal(Packet.received(packet)).sequence(1);

      assertBreaksOff(packet);
    }
  }

  @Example
  void shouldBreakOffWhenAFrameIsNotOfTheSchema() {
    byte[] packet = packet(one(Kind.EAGER, 10));
    packet[FRAME_AT + SCHEMA_AT]++;
    assertBreaksOff(packet);

    packet = packet(one(Kind.EAGER, 10));
    packet[FRAME_AT + KIND_AT] = 0;
    assertBreaksOff(packet);
  }

  @Example
  void shouldBreakOffWhenABlockHasAnotherLength() {
    for (Kind kind : Kind.values()) {
      if (kind == Kind.UNKNOWN) {
        continue;
      }
      for (int change : new int[] {-8, -1, 1}) {
        byte[] packet = packet(one(kind, 200));
        packet[FRAME_AT + BLOCK_LENGTH_AT] += (byte) change;

        assertBreaksOff(packet);
      }
    }
  }

  @Example
  void shouldBreakOffWhenPayloadFollowsAFrameThatHasNone() {
    for (Kind kind :
        List.of(Kind.REQUEST, Kind.PLACED, Kind.ABORT, Kind.CLEAR, Kind.FINISH, Kind.GOODBYE)) {
      byte[] packet = packet(one(kind, 1));
      UnsafeBuffer buffer = new UnsafeBuffer(packet);
      int length = buffer.getInt(FRAME_AT + LENGTH_AT, ORDER);
      buffer.putInt(FRAME_AT + LENGTH_AT, length + 1, ORDER);

      assertBreaksOff(packet);
    }
  }

  private byte[] changed(Kind kind, int at, long value) {
    byte[] packet = packet(one(kind, 10));
    new UnsafeBuffer(packet).putLong(BLOCK_AT + at, value, ORDER);
    return packet;
  }

  @Example
  void shouldBreakOffWhenAFieldCannotBe() {
    int total = EagerFirstEncoder.totalEncodingOffset();
    assertBreaksOff(changed(Kind.EAGER_FIRST, total, 9));
    assertBreaksOff(changed(Kind.EAGER_FIRST, total, -1));
    assertBreaksOff(changed(Kind.EAGER_FIRST, total, 1L + Integer.MAX_VALUE));
    assertBreaksOff(changed(Kind.REQUEST, RequestToSendEncoder.lengthEncodingOffset(), -1));
    assertBreaksOff(changed(Kind.REQUEST, RequestToSendEncoder.messageEncodingOffset(), 0));
    assertBreaksOff(changed(Kind.REQUEST, RequestToSendEncoder.messageEncodingOffset(), -1));
    byte[] placed = packet(one(Kind.PLACED, 10));
    new UnsafeBuffer(placed).putInt(BLOCK_AT + PlacedEncoder.lengthEncodingOffset(), -1, ORDER);
    assertBreaksOff(placed);

    assertThat(read(changed(Kind.EAGER_FIRST, total, 10))).isTrue();
    assertThat(read(changed(Kind.EAGER_FIRST, total, Integer.MAX_VALUE))).isTrue();
    assertThat(
            read(
                changed(Kind.REQUEST, RequestToSendEncoder.lengthEncodingOffset(), Long.MAX_VALUE)))
        .isTrue();
  }

  @Example
  void shouldReadAnotherPacketWhenOneWasMalformed() {
    byte[] packet = packet(one(Kind.EAGER, 10));
    packet[FRAME_AT + KIND_AT] = 0;
    assertBreaksOff(packet);

    assertThat(read(packet(one(Kind.EAGER, 10)))).isTrue();
    assertThat(read.calls()).isEqualTo(written.expected);
  }

  @Example
  void shouldRefuseAPacketWhenItsHeaderIsNotOurs() {
    byte[] packet = packet(one(Kind.EAGER, 10));
    for (int at = 0; at < HEADER; at++) {
      byte[] changed = packet.clone();
      changed[at]++;
      assertThat(read.cursor.wrap(Packet.received(changed))).as("byte %d", at).isFalse();
      assertThat(read.cursor.isMalformed()).isTrue();
    }
  }

  @Example
  void shouldTellTheHighestNumberOfPacketsThatAreCountedAndThatAreNot() {
    assertSequence(5, true, 5);
    assertSequence(0, false, 0);
    assertSequence(-5, false, 5);
    assertSequence(Long.MAX_VALUE, true, Long.MAX_VALUE);
  }

  private void assertSequence(long sequence, boolean counted, long highest) {
    byte[] packet = packet(one(Kind.EAGER, 10));
    int sequenceAt = HEADER + PacketHeaderEncoder.sequenceEncodingOffset();
    new UnsafeBuffer(packet).putLong(sequenceAt, sequence, ORDER);

    assertThat(read.cursor.wrap(Packet.received(packet))).isTrue();
    assertThat(read.cursor.isCounted()).isEqualTo(counted);
    assertThat(read.cursor.highestSent()).isEqualTo(highest);
  }

  @Example
  void shouldRefuseAPacketWhenItsLengthIsNotTheBatchs() {
    byte[] packet = packet(List.of());

    assertThat(read(packet)).isTrue();
    assertThat(read(Arrays.copyOf(packet, packet.length + 8))).isFalse();
    assertThat(read(Arrays.copyOf(packet, packet.length - 1))).isFalse();
    assertThat(read(new byte[0])).isFalse();
    assertThat(read(new byte[FRAME_AT])).isFalse();
  }
}
