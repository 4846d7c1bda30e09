package io.tagfabric.cluster.control;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The order of a message's fields, or of those of a group's entry: what has a fixed length, then
 * groups, then texts and bytes. A group is the length of an entry's fixed part (2 bytes), the
 * number of entries (4) and the entries; a text is its length (4) and its bytes.
 */
final class Layout {
  /** What a field is, in the order in which they follow one another. */
  enum Kind {
    BOOLEAN(Byte.BYTES),
    INT32(Integer.BYTES),
    INT64(Long.BYTES),
    GROUP(Short.BYTES + Integer.BYTES),
    TEXT(Integer.BYTES),
    BYTES(Integer.BYTES);

    private final int leastBytes;

    Kind(int leastBytes) {
      this.leastBytes = leastBytes;
    }

    /** Less than 0 for a fixed length, 0 for a group, more for texts and bytes. */
    private int phase() {
      return Integer.signum(compareTo(GROUP));
    }
  }

  /**
   * A field.
   *
   * @param entry of a group, else null
   */
  record Field(String name, Kind kind, Layout entry) {}

  private final Shape shape;
  private final List<Field> fields = new ArrayList<>();
  private final List<Integer> order = new ArrayList<>();

  Layout(Shape shape) {
    this.shape = shape;
    shape.fields("", fields);
    for (int i = 0; i < fields.size(); i++) {
      order.add(i);
    }
    order.sort(Comparator.comparing(i -> fields.get(i).kind().phase()));
  }

  /** Bytes of all that has a fixed length. */
  int blockBytes() {
    return bytes(true);
  }

  private int bytes(boolean onlyFixed) {
    return fields.stream()
        .map(Field::kind)
        .filter(kind -> kind.phase() < 0 || !onlyFixed)
        .mapToInt(kind -> kind.leastBytes)
        .sum();
  }

  /** Name and kind of each field; those of a group's entry in brackets. */
  List<String> fields() {
    return order.stream()
        .map(fields::get)
        .map(
            field ->
                field.name()
                    + " "
                    + (field.kind() == Kind.GROUP ? field.entry().fields() : field.kind()))
        .toList();
  }

  void write(Object value, ByteBuffer out) {
    List<Object> values = new ArrayList<>();
    shape.spread(value, values);
    for (int i : order) {
      write(fields.get(i), values.get(i), out);
    }
  }

  private static void write(Field field, Object value, ByteBuffer out) {
    switch (field.kind()) {
      case BOOLEAN -> out.put((byte) ((Boolean) value ? 1 : 0));
      case INT32 -> out.putInt((Integer) value);
      case INT64 -> out.putLong((Long) value);
      case TEXT -> write(field, ((String) value).getBytes(UTF_8), out);
      case BYTES -> write(field, (byte[]) value, out);
      case GROUP -> {
        List<?> entries = (List<?>) value;
        out.putShort((short) field.entry().blockBytes());
        out.putInt(entries.size());
        entries.forEach(entry -> field.entry().write(entry, out));
      }
    }
  }

  private static void write(Field field, byte[] bytes, ByteBuffer out) {
    requireLength(field, bytes.length);
    out.putInt(bytes.length).put(bytes);
  }

  /**
   * A value.
   *
   * @throws BufferUnderflowException if the bytes end too early
   * @throws IllegalArgumentException if they are none for another reason
   */
  Object read(ByteBuffer in) {
    Object[] values = new Object[fields.size()];
    for (int i : order) {
      values[i] = read(fields.get(i), in);
    }
    return shape.gather(Arrays.asList(values).iterator());
  }

  private static Object read(Field field, ByteBuffer in) {
    return switch (field.kind()) {
      case BOOLEAN -> truth(field, in.get());
      case INT32 -> in.getInt();
      case INT64 -> in.getLong();
      case TEXT -> new String(bytes(field, in), UTF_8);
      case BYTES -> bytes(field, in);
      case GROUP -> entries(field, in);
    };
  }

  private static boolean truth(Field field, byte value) {
    if (value != 0 && value != 1) {
      throw new IllegalArgumentException(field.name() + "=" + value + " is neither 0 nor 1");
    }
    return value == 1;
  }

  private static byte[] bytes(Field field, ByteBuffer in) {
    int length = in.getInt();
    requireLength(field, length);
    requireRest(in, length);
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }

  private static List<Object> entries(Field field, ByteBuffer in) {
    Layout entry = field.entry();
    int blockBytes = Short.toUnsignedInt(in.getShort());
    int count = in.getInt();
    if (blockBytes != entry.blockBytes() || count < 0) {
      throw new IllegalArgumentException(
          field.name() + " has count=" + count + " and blockLength=" + blockBytes);
    }
    requireRest(in, (long) count * entry.bytes(false));
    List<Object> entries = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      entries.add(entry.read(in));
    }
    return entries;
  }

  private static void requireLength(Field field, int length) {
    if (length < 0 || length > ControlCodec.MAX_FIELD_BYTES) {
      throw new IllegalArgumentException(
          field.name()
              + " has lengthBytes="
              + length
              + ", outside 0.."
              + ControlCodec.MAX_FIELD_BYTES);
    }
  }

  private static void requireRest(ByteBuffer in, long bytes) {
    if (bytes > in.remaining()) {
      throw new BufferUnderflowException();
    }
  }
}
