package io.tagfabric.collective.reduce;

import java.nio.ByteBuffer;
import java.util.Objects;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Elements of one kind in memory: what a collective reads or writes.
 *
 * <p>Over bytes of a program ({@link #over}) nothing is copied. Arrays of numbers are copied, by
 * {@code of} into new memory and by {@link #doubles} and the like out of it.
 *
 * <p>Until a collective has completed, what it reads must not change and what it writes must not be
 * read.
 */
public final class Elements {
  /** No array is longer in every JVM. */
  private static final int MOST_BYTES = Integer.MAX_VALUE - 8;

  private final ElementKind kind;
  private final MutableDirectBuffer buffer;
  private final int offset;
  private final int count;

  private Elements(ElementKind kind, MutableDirectBuffer buffer, int offset, int count) {
    this.kind = Objects.requireNonNull(kind, "kind");
    this.buffer = buffer;
    this.offset = offset;
    this.count = count;
  }

  /** Elements in a part of a buffer. */
  public static Elements over(
      ElementKind kind, MutableDirectBuffer buffer, int offsetBytes, int count) {
    long end = offsetBytes + (long) count * kind.bytes();
    if (offsetBytes < 0 || count < 0 || end > buffer.capacity()) {
      throw new IllegalArgumentException(
          "offsetBytes="
              + offsetBytes
              + " count="
              + count
              + " of kind="
              + kind.key()
              + " do not lie in the buffer, capacity="
              + buffer.capacity());
    }
    return new Elements(kind, buffer, offsetBytes, count);
  }

  /** Elements in a buffer's remaining bytes; its position does not move. */
  public static Elements over(ElementKind kind, ByteBuffer buffer) {
    if (buffer.isReadOnly()) {
      throw new IllegalArgumentException("a collective cannot use a read-only buffer, copy it");
    }
    return over(
        kind,
        new UnsafeBuffer(buffer, buffer.position(), buffer.remaining()),
        0,
        wholes(kind, buffer.remaining()));
  }

  /** Elements in the bytes of an array itself. */
  public static Elements over(ElementKind kind, byte[] bytes) {
    return over(kind, new UnsafeBuffer(bytes), 0, wholes(kind, bytes.length));
  }

  private static int wholes(ElementKind kind, int lengthBytes) {
    if (lengthBytes % kind.bytes() != 0) {
      throw new IllegalArgumentException(
          "lengthBytes="
              + lengthBytes
              + " is no multiple of "
              + kind.bytes()
              + ", the bytes of one "
              + kind.key());
    }
    return lengthBytes / kind.bytes();
  }

  /** The bytes of an array themselves. */
  public static Elements bytes(byte[] bytes) {
    return over(ElementKind.BYTES, bytes);
  }

  /** New elements, all 0. */
  public static Elements allocate(ElementKind kind, int count) {
    if (count < 0) {
      throw new IllegalArgumentException("count=" + count + " < 0, counts are 0 or more");
    }
    long lengthBytes = (long) count * kind.bytes();
    if (lengthBytes > MOST_BYTES) {
      throw new IllegalArgumentException(
          "count="
              + count
              + " of kind="
              + kind.key()
              + " takes "
              + lengthBytes
              + " bytes > "
              + MOST_BYTES
              + ", the longest array");
    }
    byte[] bytes = new byte[(int) lengthBytes];
    return new Elements(kind, new UnsafeBuffer(bytes), 0, count);
  }

  /** No elements. */
  public static Elements none(ElementKind kind) {
    return allocate(kind, 0);
  }

  /** A copy of doubles, FLOAT64. */
  public static Elements of(double... values) {
    Elements elements = allocate(ElementKind.FLOAT64, values.length);
    elements.view().asDoubleBuffer().put(values);
    return elements;
  }

  /** A copy of floats, FLOAT32. */
  public static Elements of(float... values) {
    Elements elements = allocate(ElementKind.FLOAT32, values.length);
    elements.view().asFloatBuffer().put(values);
    return elements;
  }

  /** A copy of longs, INT64. */
  public static Elements of(long... values) {
    Elements elements = allocate(ElementKind.INT64, values.length);
    elements.view().asLongBuffer().put(values);
    return elements;
  }

  /** A copy of ints, INT32. */
  public static Elements of(int... values) {
    Elements elements = allocate(ElementKind.INT32, values.length);
    elements.view().asIntBuffer().put(values);
    return elements;
  }

  /** A copy of shorts, INT16. */
  public static Elements of(short... values) {
    Elements elements = allocate(ElementKind.INT16, values.length);
    elements.view().asShortBuffer().put(values);
    return elements;
  }

  /** A copy of booleans. */
  public static Elements of(boolean... values) {
    Elements elements = allocate(ElementKind.BOOLEAN, values.length);
    for (int i = 0; i < values.length; i++) {
      elements.buffer.putByte(i, (byte) (values[i] ? 1 : 0));
    }
    return elements;
  }

  /** The same memory as elements of another kind. */
  public Elements as(ElementKind other) {
    return over(other, buffer, offset, wholes(other, lengthBytes()));
  }

  /** Some of these elements, in the same memory. */
  public Elements part(int from, int length) {
    if (from < 0 || length < 0 || length > count - from) {
      throw new IllegalArgumentException(
          "from=" + from + " length=" + length + " do not lie in count=" + count);
    }
    return new Elements(kind, buffer, offset + from * kind.bytes(), length);
  }

  /** A copy in memory of its own. */
  public Elements copy() {
    Elements copy = allocate(kind, count);
    copy.buffer.putBytes(0, buffer, offset, lengthBytes());
    return copy;
  }

  /** What they are. */
  public ElementKind kind() {
    return kind;
  }

  /** How many they are. */
  public int count() {
    return count;
  }

  /** How many bytes they take. */
  public int lengthBytes() {
    return count * kind.bytes();
  }

  /** The memory they are in. */
  public MutableDirectBuffer buffer() {
    return buffer;
  }

  /** Where in {@link #buffer} they begin, in bytes. */
  public int offset() {
    return offset;
  }

  /** Whether both are the very same memory. */
  public boolean isSame(Elements other) {
    return offset == other.offset && count == other.count && isInMemoryOf(other);
  }

  /** Whether both have bytes in common. */
  public boolean overlaps(Elements other) {
    return isInMemoryOf(other)
        && offset < other.offset + other.lengthBytes()
        && other.offset < offset + lengthBytes();
  }

  /** Also true for two buffers over the same array or address. */
  private boolean isInMemoryOf(Elements other) {
    return buffer == other.buffer
        || (buffer.addressOffset() == other.buffer.addressOffset()
            && buffer.byteArray() == other.buffer.byteArray());
  }

  /** Their values as doubles; of FLOAT64. */
  public double[] doubles() {
    require(ElementKind.FLOAT64);
    double[] values = new double[count];
    view().asDoubleBuffer().get(values);
    return values;
  }

  /** Their values as floats; of FLOAT32. */
  public float[] floats() {
    require(ElementKind.FLOAT32);
    float[] values = new float[count];
    view().asFloatBuffer().get(values);
    return values;
  }

  /** Their values as longs, of any integer kind. */
  public long[] longs() {
    if (!(kind instanceof StandardKind integers)) {
      throw new IllegalStateException(
          "kind=" + kind.key() + " is no integer, ask for its own type");
    }
    long[] values = new long[count];
    for (int i = 0; i < count; i++) {
      values[i] = Integers.get(integers, buffer, offset + i * kind.bytes());
    }
    return values;
  }

  /** Their values as ints; of INT32. */
  public int[] ints() {
    require(ElementKind.INT32);
    int[] values = new int[count];
    view().asIntBuffer().get(values);
    return values;
  }

  /** Their values as booleans; of BOOLEAN. */
  public boolean[] booleans() {
    require(ElementKind.BOOLEAN);
    boolean[] values = new boolean[count];
    for (int i = 0; i < count; i++) {
      values[i] = buffer.getByte(offset + i) != 0;
    }
    return values;
  }

  /** A copy of their bytes. */
  public byte[] toByteArray() {
    byte[] bytes = new byte[lengthBytes()];
    buffer.getBytes(offset, bytes);
    return bytes;
  }

  private void require(ElementKind wanted) {
    if (!kind.equals(wanted)) {
      throw new IllegalStateException(
          "kind=" + kind.key() + " is not " + wanted.key() + ", ask for its own type");
    }
  }

  private ByteBuffer view() {
    byte[] array = buffer.byteArray();
    if (array == null) {
      array = toByteArray();
      return ByteBuffer.wrap(array).order(Reduction.ORDER);
    }
    ByteBuffer view = ByteBuffer.wrap(array);
    view.position(Math.toIntExact(buffer.wrapAdjustment() + (long) offset));
    return view.slice().order(Reduction.ORDER);
  }

  /** Kind and count. */
  @Override
  public String toString() {
    return "Elements[" + count + " " + kind.key() + "]";
  }
}
