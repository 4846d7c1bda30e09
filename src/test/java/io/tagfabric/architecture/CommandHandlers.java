package io.tagfabric.architecture;

import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Looks for commands an actor forgot: javac 17 cannot switch over a sealed type, so nothing else
 * notices a permitted command without a handler.
 *
 * <p>The protocol of an actor is a nested {@code sealed interface Command}. Its handlers stand in
 * the enclosing class, or in the class of the same name with {@code Actor} appended, whichever has
 * {@code createReceive}. The handler of a command {@code Post} is {@code onPost}.
 */
final class CommandHandlers {
  private CommandHandlers() {}

  /** Whether the class is the protocol of an actor that dispatches in {@code createReceive}. */
  static boolean isProtocol(Class<?> type) {
    return type.isSealed()
        && type.getSimpleName().equals("Command")
        && type.getEnclosingClass() != null
        && !dispatchers(type.getEnclosingClass()).isEmpty();
  }

  /** The names of the handlers that are missing, in the order of the commands. */
  static List<String> missing(Class<?> protocol) {
    List<Class<?>> dispatchers = dispatchers(protocol.getEnclosingClass());
    List<String> missing = new ArrayList<>();
    for (Class<?> command : leaves(protocol)) {
      String handler = "on" + command.getSimpleName();
      if (dispatchers.stream().noneMatch(type -> declares(type, handler))) {
        missing.add(dispatchers.get(0).getName() + "." + handler);
      }
    }
    return missing;
  }

  private static List<Class<?>> dispatchers(Class<?> owner) {
    return Stream.of(Optional.<Class<?>>of(owner), actorOf(owner))
        .flatMap(Optional::stream)
        .filter(type -> declares(type, "createReceive"))
        .toList();
  }

  private static Optional<Class<?>> actorOf(Class<?> owner) {
    try {
      return Optional.of(Class.forName(owner.getName() + "Actor", false, owner.getClassLoader()));
    } catch (ClassNotFoundException e) {
      return Optional.empty();
    }
  }

  private static Set<Class<?>> leaves(Class<?> type) {
    Set<Class<?>> leaves = new LinkedHashSet<>();
    if (!type.isSealed() || type.isEnum()) {
      leaves.add(type);
      return leaves;
    }
    if (!Modifier.isAbstract(type.getModifiers())) {
      leaves.add(type);
    }
    for (Class<?> permitted : type.getPermittedSubclasses()) {
      leaves.addAll(leaves(permitted));
    }
    return leaves;
  }

  private static boolean declares(Class<?> type, String method) {
    for (Class<?> at = type;
        at != null && at.getName().startsWith(House.BASE);
        at = at.getSuperclass()) {
      if (Arrays.stream(at.getDeclaredMethods())
          .anyMatch(found -> found.getName().equals(method))) {
        return true;
      }
    }
    return false;
  }
}
