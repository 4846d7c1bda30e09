package io.tagfabric.simulation.isolate;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.objectweb.asm.Type;

/** The calls of the JDK that {@link Calls} takes the place of. Thread: any. */
final class Replacements {
  /**
   * One of them.
   *
   * @param owner internal name of the class of the JDK
   * @param isStatic whether the call of the JDK has no receiver
   * @param name of the method of {@link Calls}
   * @param descriptor of that method; where the call has a receiver, that comes first
   */
  record Replacement(String owner, boolean isStatic, String name, String descriptor) {}

  static final String CALLS = Type.getInternalName(Calls.class);

  private static final Map<String, List<Replacement>> BY_CALL = new HashMap<>();

  static {
    for (Method method : Calls.class.getDeclaredMethods()) {
      Instead instead = method.getAnnotation(Instead.class);
      if (instead != null) {
        add(method, instead);
      }
    }
    addStatic("java/lang/Thread", "sleep", "sleep", "(Ljava/time/Duration;)V");
    addStatic(
        "java/util/concurrent/ThreadLocalRandom",
        "current",
        "()Ljava/util/concurrent/ThreadLocalRandom;",
        "current",
        "()Ljava/util/Random;");
  }

  private Replacements() {}

  private static void add(Method method, Instead instead) {
    String target = instead.method().isEmpty() ? method.getName() : instead.method();
    String owner = Type.getInternalName(instead.of());
    String descriptor = Type.getMethodDescriptor(method);
    Class<?>[] parameters = method.getParameterTypes();
    if (isStatic(instead.of(), target, parameters)) {
      addStatic(owner, target, descriptor, method.getName(), descriptor);
      return;
    }
    Type[] all = Type.getArgumentTypes(descriptor);
    String called =
        Type.getMethodDescriptor(
            Type.getReturnType(descriptor), Arrays.copyOfRange(all, 1, all.length));
    put(target + called, new Replacement(owner, false, method.getName(), descriptor));
  }

  private static boolean isStatic(Class<?> owner, String name, Class<?>[] parameters) {
    try {
      return Modifier.isStatic(owner.getDeclaredMethod(name, parameters).getModifiers());
    } catch (NoSuchMethodException ofInstances) {
      return false;
    }
  }

  private static void addStatic(String owner, String called, String name, String descriptor) {
    addStatic(owner, called, descriptor, name, descriptor);
  }

  private static void addStatic(
      String owner, String called, String calledDescriptor, String name, String descriptor) {
    put(called + calledDescriptor, new Replacement(owner, true, name, descriptor));
  }

  private static void put(String call, Replacement replacement) {
    BY_CALL.computeIfAbsent(call, key -> new ArrayList<>()).add(replacement);
  }

  /** What takes the place of a call, if something does. */
  static Optional<Replacement> find(
      Hierarchy hierarchy, boolean isStatic, String owner, String name, String descriptor) {
    for (Replacement each : BY_CALL.getOrDefault(name + descriptor, List.of())) {
      if (each.isStatic() == isStatic && hierarchy.isA(owner, each.owner())) {
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }

  /** All of them, by name and descriptor of the call. */
  static Map<String, List<Replacement>> all() {
    return Collections.unmodifiableMap(BY_CALL);
  }
}
