package io.tagfabric.actor;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;

/**
 * Short numbers that stand for a serializer and a manifest in the messages to one peer. A type gets
 * its number when the first message of it is sent; the peer is told the number before that message.
 * Thread: any.
 */
final class TypeNumbers {
  /** Beyond these a program makes manifests up. */
  static final int MOST = 1 << 16;

  private record Type(int serializer, String manifest) {}

  private record Known(int serializer, String manifest, int number) {}

  private final ConcurrentMap<Type, Integer> numbers = new ConcurrentHashMap<>();
  private final Consumer<RefMessage> tell;
  private volatile Known last = new Known(0, "", 0);

  TypeNumbers(Consumer<RefMessage> tell) {
    this.tell = tell;
  }

  /**
   * The number of a type.
   *
   * @throws IllegalArgumentException if there are too many
   */
  int of(int serializer, String manifest) {
    Known recent = last;
    if (recent.serializer == serializer && recent.number != 0 && recent.manifest.equals(manifest)) {
      return recent.number;
    }
    Integer known = numbers.get(new Type(serializer, manifest));
    int number = known == null ? define(new Type(serializer, manifest)) : known;
    last = new Known(serializer, manifest, number);
    return number;
  }

  private synchronized int define(Type type) {
    Integer known = numbers.get(type);
    if (known != null) {
      return known;
    }
    int number = numbers.size() + 1;
    if (number > MOST) {
      throw new IllegalArgumentException(
          "manifests=" + number + " > " + MOST + ", a serializer must not make up new ones");
    }
    tell.accept(new RefMessage.RefType(number, type.serializer, type.manifest));
    numbers.put(type, number); // when it has been told, so that no message overtakes it
    return number;
  }
}
