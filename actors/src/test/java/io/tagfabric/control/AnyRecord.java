package io.tagfabric.control;

import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Makes records with arbitrary components. */
public final class AnyRecord {
  private static final List<String> TEXTS =
      List.of("", "a", "rank 1", "é ☃ \n \0 𝄞", "x".repeat(3_000));

  private final Random random;
  private final Map<Class<?>, Supplier<?>> known;

  /**
   * A maker.
   *
   * @param known makes values of what is neither a record nor of the JDK
   */
  public AnyRecord(Random random, Map<Class<?>, Supplier<?>> known) {
    this.random = random;
    this.known = known;
  }

  /** A record of a class. */
  public Object of(Class<?> type) {
    RecordComponent[] components = type.getRecordComponents();
    try {
      Constructor<?> constructor =
          type.getDeclaredConstructor(
              Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
      constructor.setAccessible(true);
      return constructor.newInstance(
          Arrays.stream(components).map(part -> value(part.getGenericType())).toArray());
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(type + " has no such constructor", e);
    }
  }

  private Object value(Type type) {
    if (type instanceof ParameterizedType generic) {
      Type first = generic.getActualTypeArguments()[0];
      Class<?> raw = (Class<?>) generic.getRawType();
      if (raw == List.class) {
        return IntStream.range(0, random.nextInt(4)).mapToObj(i -> value(first)).toList();
      } else if (raw == Map.class) {
        Map<Object, Object> map = new HashMap<>();
        IntStream.range(0, random.nextInt(4)).forEach(i -> map.put(value(first), value(first)));
        return map;
      }
      return value(raw);
    }
    Supplier<?> supplier = known.get(type);
    if (supplier != null) {
      return supplier.get();
    } else if (type == int.class || type == Integer.class) {
      return random.nextInt();
    } else if (type == long.class) {
      return random.nextLong();
    } else if (type == boolean.class) {
      return random.nextBoolean();
    } else if (type == String.class) {
      return TEXTS.get(random.nextInt(TEXTS.size()));
    }
    return of((Class<?>) type);
  }
}
