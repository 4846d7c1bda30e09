package io.tagfabric.cluster.control;

import java.nio.BufferOverflowException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Writes and reads the control messages of a package by a table of their classes. A message is a
 * record; its components are the fields that {@code control.xml} describes, so no code is written
 * for a single message. Bytes are little-endian:
 *
 * <pre>
 *   0             2            4          6         8
 *   +-------------+------------+----------+---------+--------------+--------+---------------+
 *   | blockLength | templateId | schemaId | version | fixed fields | groups | texts, bytes  |
 *   +-------------+------------+----------+---------+--------------+--------+---------------+
 * </pre>
 *
 * A component that is a record stands for its own components. A list, a map or an optional value is
 * a group. Other types are written as one of these, see {@link Builder#as}.
 *
 * <p>Thread: any; immutable.
 *
 * @source FIX Simple Binary Encoding 1.0, "Message structure", "Repeating groups"
 */
public final class ControlCodec {
  /** A text or a field of bytes is no longer. */
  public static final int MAX_FIELD_BYTES = 1 << 20;

  private static final short SCHEMA = 117;

  /** Stays: builds of all protocols read the envelopes of name services. */
  private static final short VERSION = 1;

  private static final int USUAL_BYTES = 256;

  private final String what;
  private final List<Template> templates;

  private ControlCodec(Builder builder) {
    what = builder.what;
    templates = List.copyOf(builder.templates);
  }

  /**
   * Begins a table.
   *
   * @param what one of its messages is, for error texts
   */
  public static Builder of(String what) {
    return new Builder(what);
  }

  /**
   * The bytes of a message.
   *
   * @throws IllegalArgumentException if its class is not in the table, or a field is too long
   */
  public byte[] encode(Object message) {
    Template template =
        find(known -> known.isOf(message))
            .orElseThrow(
                () ->
                    new IllegalArgumentException(message.getClass().getName() + " is not " + what));
    for (int capacity = USUAL_BYTES; ; capacity *= 4) {
      try {
        ByteBuffer out = ByteBuffer.allocate(capacity).order(ByteOrder.LITTLE_ENDIAN);
        out.putShort((short) template.layout.blockBytes()).putShort((short) template.id);
        out.putShort(SCHEMA).putShort(VERSION);
        template.layout.write(message, out);
        return Arrays.copyOf(out.array(), out.position());
      } catch (BufferOverflowException longer) {
        // again, with more room
      }
    }
  }

  /**
   * The message that {@link #encode} wrote, from an index to the end of the bytes. Memory that it
   * takes is bounded by the length of the bytes, whatever they say.
   *
   * @throws IllegalArgumentException if it is none; nothing else is thrown, whatever the bytes are
   */
  public Object decode(byte[] bytes, int from) {
    ByteBuffer in =
        ByteBuffer.wrap(bytes, from, bytes.length - from).order(ByteOrder.LITTLE_ENDIAN);
    try {
      int blockBytes = Short.toUnsignedInt(in.getShort());
      int id = Short.toUnsignedInt(in.getShort());
      Template template =
          find(known -> known.id == id)
              .orElseThrow(() -> new IllegalArgumentException("template=" + id + " is unknown"));
      require("schema", Short.toUnsignedInt(in.getShort()), SCHEMA);
      require("version", Short.toUnsignedInt(in.getShort()), VERSION);
      require("blockLength", blockBytes, template.layout.blockBytes());
      Object message = template.layout.read(in);
      require("bytes behind the message", in.remaining(), 0);
      if (message == null) {
        throw new IllegalArgumentException("the message is empty");
      }
      return message;
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException(
          "lengthBytes=" + (bytes.length - from) + " is too short", e);
    }
  }

  /** The name of the message that bytes begin with, for texts, or a question mark. */
  public String nameOf(byte[] bytes, int from) {
    if (bytes.length - from < 4 * Short.BYTES) {
      return "?";
    }
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int id = Short.toUnsignedInt(in.getShort(from + Short.BYTES));
    return find(template -> template.id == id).map(Template::name).orElse("?");
  }

  /**
   * The fields of each message as they follow one another, by the message's number and name; what
   * {@code control.xml} says in the same words.
   */
  public Map<String, List<String>> layouts() {
    Map<String, List<String>> layouts = new LinkedHashMap<>();
    templates.forEach(
        template -> layouts.put(template.id + " " + template.name, template.layout.fields()));
    return layouts;
  }

  private Optional<Template> find(Predicate<Template> which) {
    return templates.stream().filter(which).findFirst();
  }

  private static void require(String field, int value, int expected) {
    if (value != expected) {
      throw new IllegalArgumentException(field + "=" + value + " is not " + expected);
    }
  }

  /** A message of the table; its inner class tells apart messages of one class. */
  private record Template(
      int id, String name, Class<?> type, Function<Object, Object> part, Layout layout) {
    boolean isOf(Object message) {
      return type.isInstance(message)
          && (part == null || part.apply(message).getClass().getSimpleName().equals(name));
    }
  }

  /** The table of a codec. Types that are written as others come first, then messages. */
  public static final class Builder {
    private final String what;
    private final Shapes shapes = new Shapes();
    private final List<Template> templates = new ArrayList<>();

    private Builder(String what) {
      this.what = what;
    }

    /**
     * Writes the values of a type as those of another one: a number, a text, bytes or a record.
     *
     * @param from gives the value back; may throw IllegalArgumentException
     */
    public <T, F> Builder as(Class<T> type, Class<F> form, Function<T, F> to, Function<F, T> from) {
      shapes.as(type, form, to, from);
      return this;
    }

    /** Adds a message, named as its class. */
    public Builder message(int id, Class<?> type) {
      templates.add(
          new Template(id, type.getSimpleName(), type, null, new Layout(shapes.of(type))));
      return this;
    }

    /**
     * Adds a message that has a component whose type is an interface: one template for each class
     * that the component may have. The template has the name of that class.
     */
    public <T> Builder message(
        int id, Class<T> type, Function<T, ?> component, Class<? extends Record> componentType) {
      Layout layout = new Layout(shapes.with(componentType).of(type));
      Function<Object, Object> part = message -> component.apply(type.cast(message));
      templates.add(new Template(id, componentType.getSimpleName(), type, part, layout));
      return this;
    }

    /** The codec of these messages. */
    public ControlCodec build() {
      return new ControlCodec(this);
    }
  }
}
