package io.tagfabric.collective.reduce;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BinaryOperator;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * A kind of elements that a program makes: values of a class, each in the same number of bytes.
 * Complex numbers, small matrices, records of a count and a mean can then be exchanged and combined
 * by every collective.
 *
 * <p>Two kinds of the same name and length are equal, so members in several JVMs may each make it.
 * Thread: any, if writer and reader are.
 *
 * @param <T> the values
 * @source MPI-4.1 §5.1 (derived datatypes)
 */
public final class RecordKind<T> implements ElementKind {
  /** Writes a value into its bytes. */
  @FunctionalInterface
  public interface Writer<T> {
    /** Writes the bytes from {@code offset} on, all of them. */
    void write(T value, MutableDirectBuffer buffer, int offset);
  }

  /** Reads a value from its bytes. */
  @FunctionalInterface
  public interface Reader<T> {
    /** The value whose bytes begin at {@code offset}. */
    T read(DirectBuffer buffer, int offset);
  }

  private final String key;
  private final int bytes;
  private final Writer<T> writer;
  private final Reader<T> reader;

  private RecordKind(String key, int bytes, Writer<T> writer, Reader<T> reader) {
    this.key = Objects.requireNonNull(key, "key");
    this.bytes = bytes;
    this.writer = Objects.requireNonNull(writer, "writer");
    this.reader = Objects.requireNonNull(reader, "reader");
    if (bytes < 1) {
      throw new IllegalArgumentException(
          "bytes=" + bytes + " < 1 of kind=" + key + ", an element takes at least one");
    }
    for (ElementKind standard : ElementKind.standard()) {
      if (standard.key().equals(key)) {
        throw new IllegalArgumentException("kind=" + key + " is there already, take another name");
      }
    }
  }

  /**
   * A kind.
   *
   * @param key its name, in reports and to compare the calls of members
   * @param bytes that each value takes
   * @throws IllegalArgumentException if {@code bytes} is below 1, or the name is that of another
   *     kind
   */
  public static <T> RecordKind<T> of(String key, int bytes, Writer<T> writer, Reader<T> reader) {
    return new RecordKind<>(key, bytes, writer, reader);
  }

  @Override
  public int bytes() {
    return bytes;
  }

  @Override
  public String key() {
    return key;
  }

  /** Values as elements, in memory of their own. */
  public Elements elements(List<? extends T> values) {
    Elements elements = Elements.allocate(this, values.size());
    for (int i = 0; i < values.size(); i++) {
      writer.write(values.get(i), elements.buffer(), elements.offset() + i * bytes);
    }
    return elements;
  }

  /**
   * Elements as values.
   *
   * @throws IllegalArgumentException if they are of another kind
   */
  public List<T> values(Elements elements) {
    if (!elements.kind().equals(this)) {
      throw new IllegalArgumentException(
          "kind=" + elements.kind().key() + " is not kind=" + key + ", read them as what they are");
    }
    List<T> values = new ArrayList<>(elements.count());
    for (int i = 0; i < elements.count(); i++) {
      values.add(reader.read(elements.buffer(), elements.offset() + i * bytes));
    }
    return values;
  }

  /**
   * An operator on values of this kind.
   *
   * @param name equal at all members
   * @param commutative whether operands may be swapped; if not, rank order is kept
   * @param operator associative; must not change its operands
   */
  public ReduceOp operator(String name, boolean commutative, BinaryOperator<T> operator) {
    return ReduceOp.of(
        name,
        commutative,
        this,
        (left, leftAt, right, rightAt, into, at) ->
            writer.write(
                operator.apply(reader.read(left, leftAt), reader.read(right, rightAt)), into, at));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RecordKind<?> kind && kind.key.equals(key) && kind.bytes == bytes;
  }

  @Override
  public int hashCode() {
    return key.hashCode();
  }

  @Override
  public String toString() {
    return key;
  }
}
