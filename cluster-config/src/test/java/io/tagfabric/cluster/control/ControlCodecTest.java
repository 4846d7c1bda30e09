package io.tagfabric.cluster.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import org.junit.jupiter.api.Test;

class ControlCodecTest {
  private record Inner(String text, int number) {}

  private record Everything(
      String first,
      boolean truth,
      List<Inner> inners,
      long number,
      Inner inner,
      Map<String, String> map,
      Optional<UUID> uuid,
      List<Integer> numbers) {}

  private record Nothing() {}

  private interface Choice {}

  private record Left(int value) implements Choice {}

  private record Right(String value) implements Choice {}

  private record Envelope(int from, Choice choice) {}

  private record Even(int number) {
    private Even {
      if (number % 2 != 0) {
        throw new IllegalArgumentException("number=" + number + " is odd");
      }
      if (number < 0) {
        throw new NullPointerException("not for a reader");
      }
    }
  }

  private static final ControlCodec CODEC =
      ControlCodec.of("a test message")
          .as(UUID.class, String.class, UUID::toString, UUID::fromString)
          .message(1, Everything.class)
          .message(2, Nothing.class)
          .message(3, Envelope.class, Envelope::choice, Left.class)
          .message(4, Envelope.class, Envelope::choice, Right.class)
          .message(5, Even.class)
          .message(6, Inner.class)
          .build();

  private static Object decoded(byte[] bytes) {
    return CODEC.decode(bytes, 0);
  }

  private static void requireRefusal(byte[] bytes, String why) {
    assertThatThrownBy(() -> decoded(bytes))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(why);
  }

  @Test
  void shouldPutFixedFieldsFirstThenGroupsThenTexts() {
    Everything message =
        new Everything(
            "ab",
            true,
            List.of(new Inner("c", 2)),
            3,
            new Inner("☃", -1),
            Map.of("k", ""),
            Optional.empty(),
            List.of(7));

    byte[] bytes = CODEC.encode(message);

    assertThat(HexFormat.of().formatHex(bytes))
        .isEqualTo(
            "0d00"
                + "0100"
                + "7500"
                + "0100" // header
                + "01"
                + "0300000000000000"
                + "ffffffff" // truth, number, inner.number
                + "0400"
                + "01000000"
                + "02000000"
                + "01000000"
                + "63" // inners
                + "0000"
                + "01000000"
                + "01000000"
                + "6b"
                + "00000000" // map
                + "0000"
                + "00000000" // uuid
                + "0400"
                + "01000000"
                + "07000000" // numbers
                + "02000000"
                + "6162" // first
                + "03000000"
                + "e29883"); // inner.text
    assertThat(decoded(bytes)).isEqualTo(message);
    assertThat(CODEC.layouts().get("1 Everything"))
        .containsExactly(
            "truth BOOLEAN",
            "number INT64",
            "innerNumber INT32",
            "inners [number INT32, text TEXT]",
            "map [key TEXT, value TEXT]",
            "uuid [value TEXT]",
            "numbers [value INT32]",
            "first TEXT",
            "innerText TEXT");
  }

  @Test
  void shouldTellMessagesOfOneClassApart() {
    for (Object message :
        List.of(new Envelope(1, new Left(2)), new Envelope(1, new Right("x")), new Nothing())) {
      byte[] bytes = CODEC.encode(message);
      assertThat(decoded(bytes)).isEqualTo(message);
    }
    assertThat(CODEC.nameOf(CODEC.encode(new Envelope(1, new Right("x"))), 0)).isEqualTo("Right");
    assertThat(CODEC.nameOf(new byte[7], 0)).isEqualTo("?");
  }

  @Test
  void shouldRefuseWhatIsNotInTheTable() {
    assertThatThrownBy(() -> CODEC.encode("a text"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("java.lang.String is not a test message");
  }

  @Test
  void shouldRefuseOtherHeaders() {
    byte[] bytes = CODEC.encode(new Nothing());
    List<String> reasons =
        List.of(
            "blockLength=64 is not 0", "template=66", "schema=53 is not", "version=65 is not 1");
    for (int field = 0; field < 4; field++) {
      byte[] other = bytes.clone();
      other[2 * field] ^= 0x40;
      requireRefusal(other, reasons.get(field));
    }
    requireRefusal(Arrays.copyOf(bytes, 7), "lengthBytes=7 is too short");
    requireRefusal(Arrays.copyOf(bytes, 9), "bytes behind the message=1 is not 0");
  }

  @Test
  void shouldNotAllocateWhatTheBytesDoNotHold() {
    byte[] text = CODEC.encode(new Inner("abc", 1));
    ByteBuffer.wrap(text).order(ByteOrder.LITTLE_ENDIAN).putInt(12, ControlCodec.MAX_FIELD_BYTES);
    requireRefusal(text, "is too short");
    ByteBuffer.wrap(text).order(ByteOrder.LITTLE_ENDIAN).putInt(12, Integer.MAX_VALUE);
    requireRefusal(text, "text has lengthBytes=2147483647");
    ByteBuffer.wrap(text).order(ByteOrder.LITTLE_ENDIAN).putInt(12, -1);
    requireRefusal(text, "text has lengthBytes=-1");

    byte[] list =
        CODEC.encode(
            new Everything(
                "", true, List.of(), 3, new Inner("", 0), Map.of(), Optional.empty(), List.of()));
    ByteBuffer.wrap(list).order(ByteOrder.LITTLE_ENDIAN).putInt(8 + 13 + 2, Integer.MAX_VALUE);
    requireRefusal(list, "is too short");
    ByteBuffer.wrap(list).order(ByteOrder.LITTLE_ENDIAN).putInt(8 + 13 + 2, -1);
    requireRefusal(list, "inners has count=-1");
  }

  @Test
  void shouldRefuseATextThatIsTooLong() {
    Inner longest = new Inner("x".repeat(ControlCodec.MAX_FIELD_BYTES), 0);
    Inner longer = new Inner(longest.text() + "x", 0);

    assertThat(decoded(CODEC.encode(longest))).isEqualTo(longest);
    assertThatThrownBy(() -> CODEC.encode(longer))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("text has lengthBytes=1048577, outside 0..1048576");
  }

  @Test
  void shouldRefuseWhatItsRecordRefuses() {
    byte[] bytes = CODEC.encode(new Even(4));
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(8, 5);
    requireRefusal(bytes, "number=5 is odd");
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(8, -4);
    requireRefusal(bytes, "not for a reader");
  }

  @Property(tries = 200)
  void shouldReadWhateverItWrote(
      @ForAll boolean truth,
      @ForAll List<@AlphaChars String> texts,
      @ForAll long number,
      @ForAll String text,
      @ForAll List<Integer> numbers) {
    Map<String, String> map = new HashMap<>();
    texts.forEach(key -> map.put(key, text));
    Everything message =
        new Everything(
            text,
            truth,
            texts.stream().map(inner -> new Inner(inner, (int) number)).toList(),
            number,
            new Inner(text, 0),
            map,
            Optional.of(new UUID(number, number)).filter(uuid -> truth),
            numbers);

    assertThat(decoded(CODEC.encode(message))).isEqualTo(message);
  }

  @Property(tries = 1000)
  void shouldReadOrRefuseAnyBytes(@ForAll List<Integer> places, @ForAll byte value) {
    byte[] bytes =
        CODEC.encode(
            new Everything(
                "ab",
                true,
                List.of(new Inner("c", 2), new Inner("", 3)),
                3,
                new Inner("d", -1),
                Map.of("k", "v"),
                Optional.of(new UUID(1, 2)),
                List.of(7)));
    places.forEach(place -> bytes[8 + Math.floorMod(place, bytes.length - 8)] ^= value);
    try {
      assertThat(decoded(Arrays.copyOf(bytes, bytes.length - places.size() % 3))).isNotNull();
    } catch (IllegalArgumentException refused) {
      assertThat(refused.getMessage()).isNotBlank();
    }
  }
}
