package io.tagfabric.actor.twin;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/** Whether the Akka that is there has the internal types that twins were written for. */
public final class TwinGuard {
  private TwinGuard() {}

  /** Why there can be no twins; empty if there can. */
  public static String misfit() {
    return misfit(() -> FabricRef.class);
  }

  static String misfit(Supplier<Class<?>> twin) {
    try {
      List<String> missing =
          Arrays.stream(twin.get().getMethods())
              .filter(method -> Modifier.isAbstract(method.getModifiers()))
              .map(Method::getName)
              .sorted()
              .toList();
      return missing.isEmpty() ? "" : "references of this Akka have more methods: " + missing;
    } catch (LinkageError e) {
      return "references of this Akka are others: " + e;
    }
  }
}
