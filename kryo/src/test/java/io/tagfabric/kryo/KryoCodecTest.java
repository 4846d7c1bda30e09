package io.tagfabric.kryo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class KryoCodecTest {
  private static final KryoSettings SETTINGS = KryoSettings.defaults();

  private final KryoCodec codec = Samples.codec();

  private record Stranger(int a) {}

  private enum StrangeEnum {
    WITH_BODY {
      @Override
      public String toString() {
        return "body";
      }
    }
  }

  /** Two classes of one layout, so that the bytes of one can be read as the other. */
  static final class ListHolder {
    List<?> content = List.of();
  }

  static final class AnyHolder {
    Object content = "not a list";
  }

  /** Throws what it was made with. */
  private static final class Thrower extends Serializer<Samples.Point> {
    private final Error error;

    Thrower(Error error) {
      this.error = error;
    }

    @Override
    public void write(Kryo kryo, Output output, Samples.Point point) {
      throw error;
    }

    @Override
    public Samples.Point read(Kryo kryo, Input input, Class<? extends Samples.Point> type) {
      throw error;
    }
  }

  @Test
  void shouldNameTheClassAndTheKeyWhenAClassIsNotRegistered() {
    assertThatExceptionOfType(KryoCodecException.class)
        .isThrownBy(() -> codec.encode(new Stranger(1)))
        .withMessage(
            "class=io.tagfabric.kryo.KryoCodecTest$Stranger is not registered, add"
                + " \"io.tagfabric.kryo.KryoCodecTest$Stranger\" to tagfabric.kryo.registrations");
  }

  @Test
  void shouldNameTheInnerClassWhenAMemberIsNotRegistered() {
    Object[] values = {
      new Samples.Box<>(new Stranger(1), List.of(), null),
      new ArrayList<>(List.of(new Stranger(1))),
      new Stranger[] {},
      StrangeEnum.WITH_BODY
    };
    String[] names = {"Stranger", "Stranger", "Stranger[]", "StrangeEnum"};

    for (int i = 0; i < values.length; i++) {
      String name = "io.tagfabric.kryo.KryoCodecTest$" + names[i];
      Object value = values[i];
      assertThatExceptionOfType(KryoCodecException.class)
          .isThrownBy(() -> codec.encode(value))
          .withMessage(
              "class=%s is not registered, add \"%s\" to tagfabric.kryo.registrations"
                  .formatted(name, name));
    }
  }

  @Test
  void shouldOverflowAtEveryRoomBelowTheSizeAndLeaveTheBufferWhenItIsTooSmall() {
    Object object = new Object[] {Samples.account(), "ż".repeat(40), "a".repeat(40), new long[9]};
    int lengthBytes = codec.encode(object).length;

    for (int room = 0; room < lengthBytes; room++) {
      ByteBuffer buffer = ByteBuffer.allocateDirect(lengthBytes).limit(room);
      assertThatExceptionOfType(BufferOverflowException.class)
          .isThrownBy(() -> codec.encode(object, buffer))
          .withMessage(
              "class=java.lang.Object[] objectBytes > roomBytes=%d, give a larger buffer or send"
                  + " less at once",
              room);
      assertThat(buffer.position()).isZero();
    }
    ByteBuffer fitting = ByteBuffer.allocateDirect(lengthBytes);
    codec.encode(object, fitting);
    assertThat(fitting.flip()).isEqualTo(ByteBuffer.wrap(codec.encode(object)));
  }

  @Test
  void shouldOverflowWhenTheAgronaPartIsTooSmall() {
    UnsafeBuffer buffer = new UnsafeBuffer(new byte[64]);

    assertThatExceptionOfType(KryoOverflowException.class)
        .isThrownBy(() -> codec.encode("twelve bytes", buffer, 0, 5));
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> codec.encode("a", buffer, 60, 5));
  }

  @Test
  void shouldOverflowWhenAnObjectExceedsTheLimit() {
    KryoCodec small = new KryoCodec(Samples.REGISTRATIONS, new KryoSettings(100, 256, 32, 4096));
    String sentence =
        "class=byte[] objectBytes > maxObjectSizeBytes=100, raise tagfabric.kryo.max-object-size";

    assertThat(small.encode(new byte[98])).hasSize(100);
    assertThatExceptionOfType(KryoOverflowException.class)
        .isThrownBy(() -> small.encode(new byte[99]))
        .withMessage(sentence);
    assertThatExceptionOfType(KryoOverflowException.class)
        .isThrownBy(() -> small.encode(new byte[99], ByteBuffer.allocate(500)))
        .withMessage(sentence);
    assertThatExceptionOfType(KryoCodecException.class)
        .isThrownBy(() -> small.decode(new byte[101]))
        .withMessage(
            "lengthBytes=101 > maxObjectSizeBytes=100, raise tagfabric.kryo.max-object-size");
  }

  @Test
  void shouldRefuseBothWaysWhenNestingExceedsTheLimit() {
    KryoCodec shallow =
        new KryoCodec(Samples.REGISTRATIONS, new KryoSettings(16 << 20, 5, 32, 4096));
    Object five = nested(5);
    Object six = nested(6);

    assertThat(shallow.decode(shallow.encode(five))).isEqualTo(five);
    assertThatExceptionOfType(KryoCodecException.class)
        .isThrownBy(() -> shallow.encode(six))
        .withMessage(
            "nesting of io.tagfabric.kryo.Samples$Node > maxDepth=5, flatten it, break its cycle or"
                + " raise tagfabric.kryo.max-depth");
    assertThatExceptionOfType(KryoCodecException.class)
        .isThrownBy(() -> shallow.decode(codec.encode(six)))
        .withMessageStartingWith("nesting of what was read > maxDepth=5");
  }

  @Test
  void shouldRefuseWhenAnObjectHoldsItself() {
    List<Object> cycle = new ArrayList<>();
    cycle.add(cycle);

    assertThatExceptionOfType(KryoCodecException.class)
        .isThrownBy(() -> codec.encode(cycle))
        .withMessageContaining("break its cycle");
  }

  @Test
  void shouldRefuseWhenTheObjectIsNull() {
    assertThatExceptionOfType(KryoCodecException.class)
        .isThrownBy(() -> codec.encode(null))
        .withMessage("object=null, a message is never null");
    assertThatExceptionOfType(KryoCodecException.class)
        .isThrownBy(() -> codec.decode(new byte[] {0}))
        .withMessage("object=null, a message is never null");
  }

  @Test
  void shouldRefuseWhenBytesRemainOrAreMissing() {
    byte[] bytes = codec.encode(new Samples.Point(1, 2));

    assertThatExceptionOfType(KryoCodecException.class)
        .isThrownBy(() -> codec.decode(Arrays.copyOf(bytes, bytes.length + 2)))
        .withMessage(
            "trailingBytes=2 > 0 after io.tagfabric.kryo.Samples$Point, compare"
                + " tagfabric.kryo.registrations of both nodes");
    assertThatExceptionOfType(KryoCodecException.class)
        .isThrownBy(() -> codec.decode(Arrays.copyOf(bytes, bytes.length - 1)))
        .withMessage(
            "lengthBytes=%d are not an object: neededBytes=1 > remainingBytes=0", bytes.length - 1);
  }

  @Test
  void shouldRefuseWhenAnIdIsUnknownOrAClassNameIsSent() {
    assertThatExceptionOfType(KryoCodecException.class)
        .isThrownBy(() -> codec.decode(new byte[] {(byte) 0x80, 0x40}))
        .withMessage(
            "classId=8190 is not registered, compare tagfabric.kryo.registrations of both nodes");
    assertThatExceptionOfType(KryoCodecException.class)
        .isThrownBy(() -> codec.decode(new byte[] {1, 0, 'a'}))
        .withMessageStartingWith("classId=-1 is not registered");
  }

  @Test
  void shouldRefuseWhenAFieldWouldGetAnObjectOfAnotherClass() {
    KryoCodec writer = new KryoCodec(numbered(AnyHolder.class), SETTINGS);
    KryoCodec reader = new KryoCodec(numbered(ListHolder.class), SETTINGS);

    assertThatExceptionOfType(KryoCodecException.class)
        .isThrownBy(() -> reader.decode(writer.encode(new AnyHolder())))
        .withMessageContaining("java.util.List")
        .withMessageContaining("java.lang.String");
  }

  private static KryoRegistrations numbered(Class<?> type) {
    return KryoRegistrations.builder().add(100, type).build();
  }

  @Test
  void shouldNotReuseTheInstanceWhenAnErrorWentThroughIt() {
    KryoCodec overflowing = throwing(new StackOverflowError());
    KryoCodec failing = throwing(new AssertionError("mine"));

    assertThatExceptionOfType(KryoCodecException.class)
        .isThrownBy(() -> overflowing.encode(new Samples.Point(1, 2)))
        .withMessageStartingWith("nesting of io.tagfabric.kryo.Samples$Point > maxDepth=256");
    assertThatExceptionOfType(KryoCodecException.class)
        .isThrownBy(() -> overflowing.decode(new byte[] {KryoRegistrations.FIRST_ID + 2}));
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> failing.encode(new Samples.Point(1, 2)))
        .withMessage("mine");
    assertThat(overflowing.idleWorkers()).isZero();
    assertThat(failing.idleWorkers()).isZero();
  }

  private static KryoCodec throwing(Error error) {
    return new KryoCodec(
        KryoRegistrations.builder().add(Samples.Point.class, () -> new Thrower(error)).build(),
        SETTINGS);
  }

  @Test
  void shouldKeepNoLargeBufferWhenAMessageWasLarge() {
    KryoSettings small = new KryoSettings(1 << 20, 10, 1, 4096);
    KryoWorker worker = new KryoWorker(Samples.REGISTRATIONS.newKryo(10), small);
    worker.write(new byte[100_000], Integer.MAX_VALUE);
    byte[] scratch = worker.scratch(100_000);

    assertThat(worker.rest()).isTrue();

    assertThat(worker.written()).hasSizeLessThanOrEqualTo(4096);
    assertThat(worker.scratch(1)).isNotSameAs(scratch).hasSizeLessThanOrEqualTo(4096);
  }

  @Test
  void shouldLeaveTheBytesAloneWhenTheyAreDamaged() {
    byte[] bytes = codec.encode(new long[] {1, 2, 3});
    byte[] cut = Arrays.copyOf(bytes, bytes.length - 1);
    byte[] before = cut.clone();
    ByteBuffer buffer = ByteBuffer.wrap(cut);

    assertThatExceptionOfType(KryoCodecException.class).isThrownBy(() -> codec.decode(buffer));

    assertThat(cut).isEqualTo(before);
    assertThat(buffer.position()).isZero();
  }

  @Test
  void shouldGoOnWhenTheCallBeforeFailed() {
    for (int i = 0; i < 3; i++) {
      assertThatExceptionOfType(KryoCodecException.class)
          .isThrownBy(() -> codec.encode(new Object[] {nested(5), new Stranger(1)}));
      assertThatExceptionOfType(KryoCodecException.class)
          .isThrownBy(() -> codec.decode(new byte[] {20, 5}));
      assertThat(codec.decode(codec.encode(nested(250)))).isEqualTo(nested(250));
    }
    assertThat(codec.idleWorkers()).isEqualTo(1);
  }

  @Test
  void shouldRefuseSettingsWhenTheyAreOutOfRange() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new KryoSettings(1, 0, 1, 1))
        .withMessage("tagfabric.kryo.max-depth=0 is not in 1..10000");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new KryoSettings(-1, 1, 1, 1))
        .withMessage("tagfabric.kryo.max-object-size=-1 is not in 1..1073741824");
  }

  @Test
  void shouldReadTheDocumentedDefaults() {
    assertThat(SETTINGS).isEqualTo(new KryoSettings(16 << 20, 256, 32, 256 << 10));
  }

  private static Object nested(int depth) {
    Object object = "end";
    for (int i = 1; i < depth; i++) {
      object = new Samples.Node(object);
    }
    return object;
  }
}
