package io.tagfabric.kryo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.management.ThreadMXBean;
import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Bytes from a sender that is broken or means harm. */
class KryoHostileInputTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** What an exception, its text and stack trace, and tables of small collections may take. */
  private static final long FIXED_BYTES = 256 << 10;

  private static final int BYTES_PER_BYTE = 128;
  private static final int LARGEST_ID = KryoRegistrations.FIRST_ID + 20;

  private static final KryoCodec CODEC = Samples.codec();

  @Property(tries = 5_000)
  void shouldEndInAnObjectOrARefusalWhenBytesAreRandom(@ForAll @Size(max = 200) byte[] bytes) {
    decodeWithinBounds(bytes);
  }

  @Property(tries = 5_000)
  void shouldEndInAnObjectOrARefusalWhenTheClassIsKnownAndTheRestRandom(
      @ForAll @IntRange(max = LARGEST_ID) int id, @ForAll @Size(max = 200) byte[] rest) {
    byte[] bytes = new byte[rest.length + 1];
    bytes[0] = (byte) (id + 2);
    System.arraycopy(rest, 0, bytes, 1, rest.length);

    decodeWithinBounds(bytes);
  }

  @Property(tries = 5_000)
  void shouldEndInAnObjectOrARefusalWhenAnyLengthIsAnnounced(
      @ForAll @IntRange(max = LARGEST_ID) int id, @ForAll("lengths") byte[] length) {
    byte[] bytes = new byte[1 + length.length + 40];
    bytes[0] = (byte) (id + 2);
    System.arraycopy(length, 0, bytes, 1, length.length);

    decodeWithinBounds(bytes);
  }

  @Property(tries = 3_000)
  void shouldEndInAnObjectOrARefusalWhenAByteOfAnHonestMessageChanges(
      @ForAll("honest") byte[] honest, @ForAll int where, @ForAll byte change) {
    byte[] bytes = honest.clone();
    bytes[Math.floorMod(where, bytes.length)] ^= change;

    decodeWithinBounds(bytes);
  }

  @Property(tries = 50)
  void shouldEndInAnObjectOrARefusalWhenRandomBytesAreMany(@ForAll long seed) {
    byte[] bytes = new byte[100_000];
    new Random(seed).nextBytes(bytes);
    bytes[0] = CODEC.encode(new Object[0])[0];
    bytes[1] = (byte) 0x80;
    bytes[2] = 0x20;

    decodeWithinBounds(bytes);
  }

  /**
   * Each array of the nest announces all the bytes that remain, which one check a length allows.
   */
  @Property(tries = 1)
  void shouldRefuseWhenNestedArraysAnnounceTheSameBytesAgain() {
    byte objectArray = CODEC.encode(new Object[0])[0];
    ByteArrayOutputStream nest = new ByteArrayOutputStream();
    for (int depth = 0; depth < 250; depth++) {
      nest.write(objectArray);
      varInt(nest, 900_000);
    }
    byte[] bytes = Arrays.copyOf(nest.toByteArray(), 1_000_000);

    long before = allocatedBytes();
    assertThatExceptionOfType(KryoCodecException.class)
        .isThrownBy(() -> CODEC.decode(bytes))
        .withMessageStartingWith("announcedCount=900000 of bytesEach=1 > remainingBytes=");
    assertThat(allocatedBytes() - before).isLessThan(10_000_000);
  }

  @Provide
  Arbitrary<byte[]> lengths() {
    return Arbitraries.of(
            Integer.MAX_VALUE, Integer.MAX_VALUE - 8, -1, Integer.MIN_VALUE, 1 << 30, 1 << 29, 41)
        .flatMap(
            length ->
                Arbitraries.of(0, 0x40, 0x80)
                    .map(
                        flag -> {
                          ByteArrayOutputStream out = new ByteArrayOutputStream();
                          varInt(out, length);
                          byte[] bytes = out.toByteArray();
                          bytes[0] |= flag.byteValue();
                          return bytes;
                        }));
  }

  @Provide
  Arbitrary<byte[]> honest() {
    Samples.Point point = new Samples.Point(1, 2);
    List<Object> objects =
        new ArrayList<>(
            List.of(
                new Samples.Line(point, point, "label that is longer than thirty-two characters"),
                new Samples.Box<>("ż", List.of("a", "b"), Map.of("k", "v")),
                Samples.account(),
                new HashMap<>(Map.of("a", new int[] {1, 2, 3}, "b", Set.of(1, 2, 3))),
                new Object[] {new boolean[9], new double[3], new Samples.Point[] {point}},
                new int[][] {{1}, {2, 3}}));
    KryoRoundTripTest.builtIns().forEach(objects::add);
    return Arbitraries.of(objects).map(CODEC::encode);
  }

  private static void decodeWithinBounds(byte[] bytes) {
    // the first time may load classes, which is no cost of the message
    decode(bytes);
    long before = allocatedBytes();
    decode(bytes);
    assertThat(allocatedBytes() - before)
        .isLessThan(FIXED_BYTES + (long) BYTES_PER_BYTE * bytes.length);
  }

  private static void decode(byte[] bytes) {
    try {
      assertThat(CODEC.decode(bytes)).isNotNull();
    } catch (KryoCodecException refused) {
      assertThat(refused.getMessage()).isNotBlank();
    }
  }

  private static long allocatedBytes() {
    return THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
  }

  private static void varInt(ByteArrayOutputStream out, int value) {
    int rest = value;
    while (rest >>> 7 != 0) {
      out.write((rest & 0x7F) | 0x80);
      rest >>>= 7;
    }
    out.write(rest);
  }
}
