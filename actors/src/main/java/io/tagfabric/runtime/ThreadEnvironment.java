package io.tagfabric.runtime;

import java.util.function.Supplier;

/** The environment that a thread has from the one that started it. */
final class ThreadEnvironment {
  private static final InheritableThreadLocal<Environment> CURRENT = new InheritableThreadLocal<>();

  private ThreadEnvironment() {}

  static Environment get() {
    Environment current = CURRENT.get();
    return current == null ? Environment.REAL : current;
  }

  static <T> T within(Environment environment, Supplier<T> task) {
    Environment before = CURRENT.get();
    CURRENT.set(environment);
    try {
      return task.get();
    } finally {
      if (before == null) {
        CURRENT.remove();
      } else {
        CURRENT.set(before);
      }
    }
  }
}
