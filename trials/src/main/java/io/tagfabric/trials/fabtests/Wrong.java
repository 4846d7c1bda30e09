package io.tagfabric.trials.fabtests;

import java.util.function.Supplier;

/** A scenario has found what must not be. */
final class Wrong extends RuntimeException {
  private static final long serialVersionUID = 1L;

  Wrong(String what) {
    super(what);
  }

  static void unless(boolean holds, String what) {
    if (!holds) {
      throw new Wrong(what);
    }
  }

  static void unless(boolean holds, Supplier<String> what) {
    if (!holds) {
      throw new Wrong(what.get());
    }
  }
}
