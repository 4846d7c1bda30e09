package io.tagfabric.kryo;

import java.lang.reflect.Modifier;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Collections that cannot be made from their elements. Those that the JDK makes of others, as by
 * {@code subList}, {@code keySet} or {@code Collections.nCopies}, are written as their plain kind;
 * all others are refused, because they could be written and never read.
 */
final class Views {
  private Views() {}

  /** The class that a view is written as and arrives as; null if it is none. */
  static Class<?> plain(Class<?> type) {
    boolean isNested = type.getEnclosingClass() != null;
    if (!type.getName().startsWith("java.util.")
        || (Modifier.isPublic(type.getModifiers()) && !isNested)) {
      return null;
    }
    if (SortedMap.class.isAssignableFrom(type)) {
      return TreeMap.class;
    } else if (Map.class.isAssignableFrom(type)) {
      return LinkedHashMap.class;
    } else if (Map.Entry.class.isAssignableFrom(type)) {
      return AbstractMap.SimpleImmutableEntry.class;
    } else if (SortedSet.class.isAssignableFrom(type)) {
      return TreeSet.class;
    } else if (Set.class.isAssignableFrom(type)) {
      return LinkedHashSet.class;
    } else if (Queue.class.isAssignableFrom(type)) {
      return LinkedList.class;
    }
    return Collection.class.isAssignableFrom(type) ? ArrayList.class : null;
  }

  /** Whether a collection or map has no constructor that makes an empty one. */
  static boolean isUnmakeable(Class<?> type) {
    if (type.isInterface()
        || !(Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type))) {
      return false;
    }
    return Arrays.stream(type.getDeclaredConstructors())
        .noneMatch(constructor -> constructor.getParameterCount() == 0);
  }

  /** Why such a class is refused, and the cure. */
  static String refusal(Class<?> type) {
    return "class=%s has no constructor without arguments, so it could be written and never read: send a copy, as new %s<>(...), or register it with a serializer"
        .formatted(
            type.getTypeName(),
            Map.class.isAssignableFrom(type)
                ? "LinkedHashMap"
                : Set.class.isAssignableFrom(type) ? "LinkedHashSet" : "ArrayList");
  }
}
