package io.tagfabric.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.Tuple.Tuple4;
import net.jqwik.api.constraints.IntRange;
import org.agrona.concurrent.UnsafeBuffer;

/** What is written is read again, wherever a packet is cut or changed nothing is read outside. */
class FrameRoundTripTest {
  private static final int PACKET = 8 * 1024;

  private final FrameBatchPool pool = new FrameBatchPool(512, PACKET);
  private final FrameWriter writer = new FrameWriter();
  private final FrameCursor cursor = new FrameCursor();

  /** Kind of frame, two numbers and a payload length. */
  @Provide
  Arbitrary<List<Tuple4<Integer, Long, Long, Integer>>> frames() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 10),
            Arbitraries.longs(),
            Arbitraries.longs().greaterOrEqual(1),
            Arbitraries.integers().between(0, 300))
        .as(Tuple::of)
        .list()
        .ofMaxSize(15);
  }

  /** A message with its payload three bytes into its buffer. */
  private static MessageView message(Tuple4<Integer, Long, Long, Integer> frame, boolean hasData) {
    UnsafeBuffer payload = new UnsafeBuffer(payload(frame.get4()));
    MessageView message = MessageViews.of(frame.get2(), payload, 3, frame.get4());
    if (hasData) {
      message.showData(frame.get3());
    }
    return message;
  }

  private FrameBatch write(List<Tuple4<Integer, Long, Long, Integer>> frames) {
    FrameBatch batch = pool.acquire(PACKET - FrameBatch.HEADER_LENGTH);
    Arrays.fill(batch.array(), batch.length(), PACKET, (byte) 0xEE);
    for (var frame : frames) {
      int length = frame.get4();
      UnsafeBuffer payload = new UnsafeBuffer(payload(length));
      int before = batch.length();
      switch (frame.get1()) {
        case 0 -> writer.eager(batch, message(frame, length % 2 == 0));
        case 1 ->
            writer.requestToSend(
                batch, message(frame, true), frame.get3(), length % 2 == 0, memory(length));
        case 2 ->
            writer.clearToSend(
                batch, frame.get2(), frame.get3(), frame.get3(), length, memory(length));
        case 3 -> writer.data(batch, frame.get2(), frame.get3(), payload, 3, length);
        case 4 -> writer.welcome(batch, 1, 2, frame.get2());
        case 5 -> {
          MessageView message = MessageViews.of(frame.get2(), payload, 3, 300 + length);
          message.showData(5);
          writer.eagerFirst(batch, message, frame.get3(), length);
        }
        case 6 -> writer.eagerNext(batch, frame.get2(), frame.get3(), payload, 3, length);
        case 7 -> writer.finish(batch, frame.get2(), length);
        case 8 -> writer.abort(batch, frame.get2(), length);
        case 9 -> writer.placed(batch, frame.get2(), frame.get3(), length);
        default -> writer.goodbye(batch, length);
      }
      assertThat(batch.length() % PacketLayout.ALIGNMENT).isZero();
      assertThat(batch.length() - before).isEqualTo(lengthOf(frame.get1(), length));
    }
    writer
        .seal(batch)
        .incarnation(1)
        .sequence(2)
        .acknowledged(3)
        .grantedBytes(4)
        .grantedMessages(5)
        .highestSent(6)
        .delivered(10)
        .isolation(7)
        .flow(8)
        .flags(9);
    return batch;
  }

  private static byte[] payload(int length) {
    byte[] bytes = new byte[length + 3];
    for (int i = 0; i < length; i++) {
      bytes[i + 3] = (byte) (i * 3 + length);
    }
    return bytes;
  }

  private static int lengthOf(int kind, int length) {
    return switch (kind) {
      case 0 -> FrameWriter.eagerLength(length);
      case 1 -> FrameWriter.requestLength();
      case 2 -> FrameWriter.clearLength();
      case 3 -> FrameWriter.dataLength(length);
      case 4 -> FrameWriter.welcomeLength();
      case 5 -> PacketLayout.aligned(PacketLayout.EAGER_FIRST_OVERHEAD + length);
      case 6 -> PacketLayout.aligned(PacketLayout.EAGER_NEXT_OVERHEAD + length);
      case 7 -> FrameWriter.finishLength();
      case 8 -> FrameWriter.abortLength();
      case 9 -> FrameWriter.placedLength();
      default -> FrameWriter.goodbyeLength();
    };
  }

  @Property(tries = 300)
  void shouldReadWhatWasWritten(
      @ForAll("frames") List<Tuple4<Integer, Long, Long, Integer>> frames) {
    FrameBatch batch = write(frames);

    assertThat(cursor.wrap(batch)).isTrue();
    assertHeader();
    for (var frame : frames) {
      int kind = cursor.nextFrame();
      switch (frame.get1()) {
        case 0 -> {
          assertThat(kind).isEqualTo(FrameCursor.EAGER);
          assertThat(cursor.eager().tag()).isEqualTo(frame.get2());
          assertThat(cursor.eager().data()).isEqualTo(frame.get4() % 2 == 0 ? frame.get3() : 0);
          assertThat(cursor.eager().flags()).isEqualTo(frame.get4() % 2 == 0 ? 1 : 0);
          assertPayload(batch, cursor.eagerPayloadAt(), cursor.eager().length(), frame.get4());
        }
        case 1 -> {
          assertThat(kind).isEqualTo(FrameCursor.REQUEST_TO_SEND);
          assertThat(cursor.requestToSend().tag()).isEqualTo(frame.get2());
          assertThat(cursor.requestToSend().data()).isEqualTo(frame.get3());
          assertThat(cursor.requestToSend().length()).isEqualTo(frame.get4().longValue());
          assertThat(cursor.requestToSend().message()).isEqualTo(frame.get3());
          assertThat(cursor.requestToSend().flags()).isEqualTo(frame.get4() % 2 == 0 ? 3 : 1);
          assertThat(cursor.requestMemory()).isEqualTo(memory(frame.get4()));
        }
        case 2 -> {
          assertThat(kind).isEqualTo(FrameCursor.CLEAR_TO_SEND);
          assertThat(cursor.clearToSend().message()).isEqualTo(frame.get2());
          assertThat(cursor.clearToSend().receive()).isEqualTo(frame.get3());
          assertThat(cursor.clearToSend().wanted()).isEqualTo(frame.get3());
          assertThat(cursor.clearToSend().clearedTo()).isEqualTo(frame.get4().longValue());
          assertThat(cursor.clearMemory()).isEqualTo(memory(frame.get4()));
        }
        case 3 -> {
          assertThat(kind).isEqualTo(FrameCursor.DATA);
          assertThat(cursor.data().receive()).isEqualTo(frame.get2());
          assertThat(cursor.data().position()).isEqualTo(frame.get3());
          assertPayload(batch, cursor.dataPayloadAt(), cursor.data().length(), frame.get4());
        }
        case 4 -> {
          assertThat(kind).isEqualTo(FrameCursor.WELCOME);
          assertThat(cursor.welcome().objectFingerprint()).isEqualTo(frame.get2());
        }
        case 5 -> {
          assertThat(kind).isEqualTo(FrameCursor.EAGER_FIRST);
          assertThat(cursor.eagerFirst().tag()).isEqualTo(frame.get2());
          assertThat(cursor.eagerFirst().data()).isEqualTo(5);
          assertThat(cursor.eagerFirst().flags()).isEqualTo(PacketLayout.HAS_DATA);
          assertThat(cursor.eagerFirst().total()).isEqualTo(300L + frame.get4());
          assertThat(cursor.eagerFirst().message()).isEqualTo(frame.get3());
          int length = cursor.eagerFirst().length();
          assertPayload(batch, cursor.eagerFirstPayloadAt(), length, frame.get4());
        }
        case 6 -> {
          assertThat(kind).isEqualTo(FrameCursor.EAGER_NEXT);
          assertThat(cursor.eagerNext().message()).isEqualTo(frame.get2());
          assertThat(cursor.eagerNext().position()).isEqualTo(frame.get3());
          int length = cursor.eagerNext().length();
          assertPayload(batch, cursor.eagerNextPayloadAt(), length, frame.get4());
        }
        case 7 -> {
          assertThat(kind).isEqualTo(FrameCursor.FINISH);
          assertThat(cursor.finish().message()).isEqualTo(frame.get2());
          assertThat(cursor.finish().errorCode()).isEqualTo(frame.get4());
        }
        case 8 -> {
          assertThat(kind).isEqualTo(FrameCursor.ABORT);
          assertThat(cursor.abort().message()).isEqualTo(frame.get2());
          assertThat(cursor.abort().errorCode()).isEqualTo(frame.get4());
        }
        case 9 -> {
          assertThat(kind).isEqualTo(FrameCursor.PLACED);
          assertThat(cursor.placed().receive()).isEqualTo(frame.get2());
          assertThat(cursor.placed().position()).isEqualTo(frame.get3());
          assertThat(cursor.placed().length()).isEqualTo(frame.get4());
        }
        default -> {
          assertThat(kind).isEqualTo(FrameCursor.GOODBYE);
          assertThat(cursor.goodbye().errorCode()).isEqualTo(frame.get4());
        }
      }
    }
    assertThat(cursor.nextFrame()).isZero();
    assertThat(cursor.isMalformed()).isFalse();
    assertThat(batch.frameCount()).isEqualTo(frames.size());
    batch.release();
  }

  private static MemoryKey memory(int length) {
    return length % 3 == 0 ? new MemoryKey(1 + length, 2L * length, 7) : null;
  }

  private void assertHeader() {
    var header = cursor.packet();
    assertThat(
            List.of(
                header.incarnation(),
                header.sequence(),
                header.acknowledged(),
                header.grantedBytes(),
                header.grantedMessages(),
                header.highestSent(),
                header.delivered()))
        .containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 10L);
    assertThat(List.of(header.isolation(), header.flow(), header.flags())).containsExactly(7, 8, 9);
  }

  private static void assertPayload(FrameBatch batch, int at, int length, int expected) {
    assertThat(length).isEqualTo(expected);
    byte[] bytes = new byte[length];
    batch.buffer().getBytes(at, bytes);
    assertThat(bytes).isEqualTo(Arrays.copyOfRange(payload(expected), 3, 3 + expected));
  }

  @Property(tries = 500)
  void shouldStayInsideWhenBytesAreChangedAndCut(
      @ForAll("frames") List<Tuple4<Integer, Long, Long, Integer>> frames,
      @ForAll List<@IntRange(min = 0, max = PACKET) Integer> places,
      @ForAll byte[] noise,
      @ForAll @IntRange(min = 0, max = PACKET) int cut) {
    FrameBatch written = write(frames);
    byte[] packet = Arrays.copyOf(written.array(), Math.min(cut, written.length()));
    written.release();
    for (int i = 0; i < Math.min(noise.length, places.size()); i++) {
      if (places.get(i) < packet.length) {
        packet[places.get(i)] = noise[i];
      }
    }
    if (packet.length >= FrameBatch.HEADER_LENGTH) {
      new FrameWriter().seal(FrameBatch.received(packet));
    }

    walk(packet);
  }

  @Property(tries = 500)
  void shouldStayInsideWhenBytesAreRandom(@ForAll byte[] bytes, @ForAll boolean ours) {
    byte[] packet = ours ? Arrays.copyOf(bytes, bytes.length + 128) : bytes;
    if (ours) {
      writer.seal(FrameBatch.received(packet)).sequence(1);
      System.arraycopy(bytes, 0, packet, FrameBatch.HEADER_LENGTH, Math.min(56, bytes.length));
      packet[FrameBatch.HEADER_LENGTH + 4] = packet[4];
      packet[FrameBatch.HEADER_LENGTH + 5] = packet[5];
    }

    walk(packet);
  }

  /** Reads everything there is to read; bounds checks would throw. */
  private void walk(byte[] packet) {
    FrameBatch batch = FrameBatch.received(packet);
    if (!cursor.wrap(batch)) {
      assertThat(cursor.isMalformed()).isTrue();
      assertThat(cursor.nextFrame()).isZero();
      return;
    }
    int template;
    int frames = 0;
    while ((template = cursor.nextFrame()) != 0) {
      frames++;
      if (template == FrameCursor.EAGER) {
        inside(packet, cursor.eagerPayloadAt(), cursor.eager().length());
      } else if (template == FrameCursor.DATA) {
        inside(packet, cursor.dataPayloadAt(), cursor.data().length());
      } else if (template == FrameCursor.REQUEST_TO_SEND) {
        assertThat(cursor.requestToSend().length()).isNotNegative();
        assertThat(cursor.requestToSend().message()).isPositive();
      } else if (template == FrameCursor.CLEAR_TO_SEND) {
        assertThat(cursor.clearToSend().wanted()).isNotNegative();
        assertThat(cursor.clearToSend().clearedTo()).isNotNegative();
      } else if (template == FrameCursor.EAGER_FIRST) {
        int length = cursor.eagerFirst().length();
        inside(packet, cursor.eagerFirstPayloadAt(), length);
        assertThat(cursor.eagerFirst().total()).isBetween((long) length, (long) Integer.MAX_VALUE);
      } else if (template == FrameCursor.EAGER_NEXT) {
        inside(packet, cursor.eagerNextPayloadAt(), cursor.eagerNext().length());
      } else if (template == FrameCursor.FINISH) {
        cursor.finish().errorCode();
      } else if (template == FrameCursor.ABORT) {
        cursor.abort().errorCode();
      } else if (template == FrameCursor.PLACED) {
        assertThat(cursor.placed().length()).isNotNegative();
      } else if (template == FrameCursor.HELLO) {
        assertThat(cursor.greeting().address()).isNotNull();
      } else if (template == FrameCursor.REFUSE) {
        assertThat(cursor.refuse().reason()).isNotNull();
      } else if (template == FrameCursor.WELCOME) {
        cursor.welcome().objectFingerprint();
      } else {
        assertThat(template).isEqualTo(FrameCursor.GOODBYE);
        cursor.goodbye().errorCode();
      }
    }
    assertThat(frames).isLessThanOrEqualTo(packet.length / 8);
  }

  private static void inside(byte[] packet, int at, int length) {
    assertThat(length).isNotNegative();
    assertThat(at + length).isLessThanOrEqualTo(packet.length);
  }

  @Example
  void shouldCarryTextsWhenTheyAreLong() {
    Greeting greeting =
        new Greeting(3, 1, new UUID(1, 2), 4, 5, 6, "address ż", "ż".repeat(100_000));
    FrameBatch batch = pool.acquire(PACKET - FrameBatch.HEADER_LENGTH);

    writer.hello(batch, greeting);
    writer.seal(batch).sequence(0);

    assertThat(cursor.wrap(batch)).isTrue();
    assertThat(cursor.nextFrame()).isEqualTo(FrameCursor.HELLO);
    Greeting read = cursor.greeting();
    assertThat(read.objects()).hasSizeGreaterThan(2_000).startsWith("żż").endsWith("ż…");
    assertThat(read)
        .isEqualTo(new Greeting(3, 1, new UUID(1, 2), 4, 5, 6, "address ż", read.objects()));
    assertThat(cursor.nextFrame()).isZero();
    assertThat(cursor.isMalformed()).isFalse();
  }

  @Example
  void shouldCarryAReasonWhenItIsLong() {
    FrameBatch batch = pool.acquire(100);

    writer.refuse(batch, 2, 129, "because " + "x".repeat(10_000));
    writer.seal(batch).sequence(0);

    assertThat(cursor.wrap(batch)).isTrue();
    assertThat(cursor.nextFrame()).isEqualTo(FrameCursor.REFUSE);
    assertThat(cursor.refuse().errorCode()).isEqualTo(129);
    assertThat(cursor.refuse().reason()).startsWith("because x").endsWith("…");
  }

  @Example
  void shouldRefuseAPacketWhenItsLengthIsNotTheBatchs() {
    FrameBatch batch = write(new ArrayList<>());
    byte[] longer = Arrays.copyOf(batch.array(), batch.length() + 8);

    assertThat(cursor.wrap(FrameBatch.received(longer))).isFalse();
    assertThat(cursor.isMalformed()).isTrue();
    assertThat(cursor.wrap(FrameBatch.received(new byte[0]))).isFalse();
    assertThat(cursor.wrap(FrameBatch.received(new byte[72]))).isFalse();
  }
}
