package io.tagfabric.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.lang.reflect.Array;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Collections, maps and arrays, each as a count and then its elements, every element with its
 * class.
 *
 * <p>Kryo's own save the class where all elements share it, so an element may take no byte at all
 * and a count of two billion looks honest. Here an element takes at least one byte, which makes the
 * count checkable before anything is allocated, for one or two bytes an element.
 */
final class ContainerSerializers {
  private ContainerSerializers() {}

  private static void write(Kryo kryo, Output output, Collection<?> collection) {
    int count = collection.size();
    output.writeVarInt(count, true);
    int written = 0;
    for (Object element : collection) {
      kryo.writeClassAndObject(output, element);
      written++;
    }
    checkUnchanged(count, written);
  }

  static void write(Kryo kryo, Output output, Map<?, ?> map) {
    int count = map.size();
    output.writeVarInt(count, true);
    int written = 0;
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      kryo.writeClassAndObject(output, entry.getKey());
      kryo.writeClassAndObject(output, entry.getValue());
      written++;
    }
    checkUnchanged(count, written);
  }

  private static void checkUnchanged(int count, int written) {
    if (count != written) {
      throw new Refusal(
          "size=%d before writing != writtenCount=%d, send a copy of what other threads change"
              .formatted(count, written));
    }
  }

  private static Object[] readElements(Kryo kryo, Input input) {
    int count = BoundedInput.claim(input, input.readVarInt(true), 1);
    Object[] elements = new Object[count];
    for (int i = 0; i < count; i++) {
      elements[i] = kryo.readClassAndObject(input);
    }
    return elements;
  }

  static void readEntries(Kryo kryo, Input input, int count, Map<Object, Object> destination) {
    for (int i = 0; i < count; i++) {
      Object key = kryo.readClassAndObject(input);
      destination.put(key, kryo.readClassAndObject(input));
    }
  }

  private static int tableSize(int count) {
    return (int) Math.min(1 << 30, count * 4L / 3 + 1);
  }

  /** Collections with a constructor that takes nothing and an {@code add} that works. */
  static final class OfCollection extends Serializer<Collection<Object>> {
    @Override
    public void write(Kryo kryo, Output output, Collection<Object> collection) {
      ContainerSerializers.write(kryo, output, collection);
    }

    @Override
    public Collection<Object> read(
        Kryo kryo, Input input, Class<? extends Collection<Object>> type) {
      int count = BoundedInput.claim(input, input.readVarInt(true), 1);
      Collection<Object> collection = create(kryo, type, count);
      for (int i = 0; i < count; i++) {
        collection.add(kryo.readClassAndObject(input));
      }
      return collection;
    }

    private static Collection<Object> create(
        Kryo kryo, Class<? extends Collection<Object>> type, int count) {
      Class<?> plain = type;
      if (plain == ArrayList.class) {
        return new ArrayList<>(count);
      }
      if (plain == HashSet.class) {
        return new HashSet<>(tableSize(count));
      }
      if (plain == LinkedHashSet.class) {
        return new LinkedHashSet<>(tableSize(count));
      }
      if (plain == ArrayDeque.class) {
        return new ArrayDeque<>(count);
      }
      return kryo.newInstance(type);
    }
  }

  /** Maps with a constructor that takes nothing and a {@code put} that works. */
  static final class OfMap extends Serializer<Map<Object, Object>> {
    @Override
    public void write(Kryo kryo, Output output, Map<Object, Object> map) {
      ContainerSerializers.write(kryo, output, map);
    }

    @Override
    public Map<Object, Object> read(
        Kryo kryo, Input input, Class<? extends Map<Object, Object>> type) {
      int count = BoundedInput.claim(input, input.readVarInt(true), 2);
      Map<Object, Object> map = create(kryo, type, count);
      readEntries(kryo, input, count, map);
      return map;
    }

    private static Map<Object, Object> create(
        Kryo kryo, Class<? extends Map<Object, Object>> type, int count) {
      Class<?> plain = type;
      if (plain == HashMap.class) {
        return new HashMap<>(tableSize(count));
      }
      if (plain == LinkedHashMap.class) {
        return new LinkedHashMap<>(tableSize(count));
      }
      return kryo.newInstance(type);
    }
  }

  /** Collections that are made whole from their elements. */
  static final class OfElements extends Serializer<Collection<?>> {
    private final Function<Object[], Collection<?>> maker;

    OfElements(Function<Object[], Collection<?>> maker) {
      this.maker = maker;
    }

    @Override
    public void write(Kryo kryo, Output output, Collection<?> collection) {
      ContainerSerializers.write(kryo, output, collection);
    }

    @Override
    public Collection<?> read(Kryo kryo, Input input, Class<? extends Collection<?>> type) {
      return maker.apply(readElements(kryo, input));
    }
  }

  /** Maps that are made whole from their entries. */
  static final class OfEntries extends Serializer<Map<?, ?>> {
    private final Function<Map<Object, Object>, Map<?, ?>> maker;

    OfEntries(Function<Map<Object, Object>, Map<?, ?>> maker) {
      this.maker = maker;
    }

    @Override
    public void write(Kryo kryo, Output output, Map<?, ?> map) {
      ContainerSerializers.write(kryo, output, map);
    }

    @Override
    public Map<?, ?> read(Kryo kryo, Input input, Class<? extends Map<?, ?>> type) {
      int count = BoundedInput.claim(input, input.readVarInt(true), 2);
      Map<Object, Object> entries = new LinkedHashMap<>(tableSize(count));
      readEntries(kryo, input, count, entries);
      return maker.apply(entries);
    }
  }

  /** Sorted sets, the views of one too: the comparator comes first, null for the natural order. */
  static final class OfSortedSet extends Serializer<SortedSet<Object>> {
    @Override
    public void write(Kryo kryo, Output output, SortedSet<Object> set) {
      kryo.writeClassAndObject(output, set.comparator());
      ContainerSerializers.write(kryo, output, set);
    }

    @Override
    public SortedSet<Object> read(Kryo kryo, Input input, Class<? extends SortedSet<Object>> type) {
      SortedSet<Object> set = new TreeSet<>(readComparator(kryo, input));
      int count = BoundedInput.claim(input, input.readVarInt(true), 1);
      for (int i = 0; i < count; i++) {
        set.add(kryo.readClassAndObject(input));
      }
      return set;
    }
  }

  /** Sorted maps, the views of one too. */
  static final class OfSortedMap extends Serializer<SortedMap<Object, Object>> {
    @Override
    public void write(Kryo kryo, Output output, SortedMap<Object, Object> map) {
      kryo.writeClassAndObject(output, map.comparator());
      ContainerSerializers.write(kryo, output, map);
    }

    @Override
    public SortedMap<Object, Object> read(
        Kryo kryo, Input input, Class<? extends SortedMap<Object, Object>> type) {
      SortedMap<Object, Object> map = new TreeMap<>(readComparator(kryo, input));
      int count = BoundedInput.claim(input, input.readVarInt(true), 2);
      readEntries(kryo, input, count, map);
      return map;
    }
  }

  @SuppressWarnings("unchecked") // It compares what it has compared before, or throws.
  private static Comparator<Object> readComparator(Kryo kryo, Input input) {
    Object comparator = kryo.readClassAndObject(input);
    if (comparator != null && !(comparator instanceof Comparator)) {
      throw new Refusal("class=%s is no Comparator".formatted(comparator.getClass().getTypeName()));
    }
    return (Comparator<Object>) comparator;
  }

  /** Arrays of objects, of any number of dimensions. */
  static final class OfObjects extends Serializer<Object[]> {
    @Override
    public void write(Kryo kryo, Output output, Object[] array) {
      output.writeVarInt(array.length, true);
      for (Object element : array) {
        kryo.writeClassAndObject(output, element);
      }
    }

    @Override
    public Object[] read(Kryo kryo, Input input, Class<? extends Object[]> type) {
      int count = BoundedInput.claim(input, input.readVarInt(true), 1);
      Object[] array = (Object[]) Array.newInstance(type.getComponentType(), count);
      for (int i = 0; i < count; i++) {
        array[i] = kryo.readClassAndObject(input);
      }
      return array;
    }
  }

  /** {@code boolean[]}: Kryo's allocates the announced length unseen. */
  static final class OfBooleans extends Serializer<boolean[]> {
    @Override
    public void write(Kryo kryo, Output output, boolean[] array) {
      output.writeVarInt(array.length, true);
      output.writeBooleans(array, 0, array.length);
    }

    @Override
    public boolean[] read(Kryo kryo, Input input, Class<? extends boolean[]> type) {
      return input.readBooleans(input.readVarInt(true));
    }
  }

  /**
   * What {@link java.util.stream.Stream#toList()} makes may hold nulls, {@code List.of} may not.
   */
  static List<?> immutableList(Object[] elements) {
    for (Object element : elements) {
      if (element == null) {
        return Collections.unmodifiableList(Arrays.asList(elements));
      }
    }
    return List.of(elements);
  }
}
