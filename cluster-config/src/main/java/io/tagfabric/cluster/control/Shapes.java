package io.tagfabric.cluster.control;

import io.tagfabric.cluster.control.Layout.Kind;
import io.tagfabric.cluster.control.Shape.Components;
import io.tagfabric.cluster.control.Shape.Converted;
import io.tagfabric.cluster.control.Shape.Single;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Finds the shape of a type. */
final class Shapes {
  private static final Map<Class<?>, Shape> SINGLES =
      Map.of(
          boolean.class, new Single(Kind.BOOLEAN, null),
          int.class, new Single(Kind.INT32, null),
          Integer.class, new Single(Kind.INT32, null),
          long.class, new Single(Kind.INT64, null),
          Long.class, new Single(Kind.INT64, null),
          String.class, new Single(Kind.TEXT, null),
          byte[].class, new Single(Kind.BYTES, null));

  private final Map<Class<?>, Shape> known;

  /** Those of numbers, texts and bytes. */
  Shapes() {
    this(SINGLES);
  }

  private Shapes(Map<Class<?>, Shape> known) {
    this.known = new HashMap<>(known);
  }

  @SuppressWarnings("unchecked") // the shape of a type is used for its values only
  <T, F> void as(Class<T> type, Class<F> form, Function<T, F> to, Function<F, T> from) {
    known.put(
        type,
        new Converted(of(form), (Function<Object, ?>) to, (Function<Object, ?>) (Object) from));
  }

  /** The same, and interfaces of this record stand for it. */
  Shapes with(Class<? extends Record> type) {
    Shapes more = new Shapes(known);
    for (Class<?> face : type.getInterfaces()) {
      more.known.put(face, of(type));
    }
    return more;
  }

  /**
   * The shape of a type.
   *
   * @throws IllegalArgumentException if it has none
   */
  Shape of(Type type) {
    if (type instanceof ParameterizedType generic) {
      Type first = generic.getActualTypeArguments()[0];
      Class<?> raw = (Class<?>) generic.getRawType();
      if (raw == List.class) {
        return new Converted(group(first), value -> value, list -> List.copyOf((List<?>) list));
      } else if (raw == Map.class) {
        return new Converted(group(Pair.class), Pair::pairs, Pair::map);
      } else if (raw == Optional.class) {
        return new Converted(
            group(first), value -> ((Optional<?>) value).stream().toList(), Shapes::optional);
      }
      return of(raw);
    }
    Shape shape = known.get(type);
    if (shape != null) {
      return shape;
    } else if (type instanceof Class<?> record && record.isRecord()) {
      return components(record);
    }
    throw new IllegalArgumentException(type + " has no shape");
  }

  private Shape group(Type entry) {
    return new Single(Kind.GROUP, new Layout(of(entry)));
  }

  private Shape components(Class<?> type) {
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types =
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    List<Method> accessors = new ArrayList<>();
    Map<String, Shape> parts = new LinkedHashMap<>();
    for (RecordComponent component : components) {
      component.getAccessor().setAccessible(true);
      accessors.add(component.getAccessor());
      parts.put(component.getName(), of(component.getGenericType()));
    }
    try {
      Constructor<?> constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      return new Components(constructor, accessors, parts);
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException("every record has a constructor of its components", e);
    }
  }

  private static Optional<?> optional(Object values) {
    List<?> list = (List<?>) values;
    if (list.size() > 1) {
      throw new IllegalArgumentException("count=" + list.size() + " of a value that may be absent");
    }
    return list.stream().findFirst();
  }

  /** An entry of a map of texts. */
  private record Pair(String key, String value) {
    static List<Pair> pairs(Object map) {
      return ((Map<?, ?>) map)
          .entrySet().stream()
              .map(entry -> new Pair((String) entry.getKey(), (String) entry.getValue()))
              .toList();
    }

    static Map<String, String> map(Object pairs) {
      Map<String, String> map = new LinkedHashMap<>();
      ((List<?>) pairs).forEach(pair -> map.put(((Pair) pair).key, ((Pair) pair).value));
      return map;
    }
  }
}
