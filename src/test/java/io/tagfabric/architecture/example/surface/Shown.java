package io.tagfabric.architecture.example.surface;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.architecture.example.surface.inside.Inside;
import java.util.List;

/** Listed for programs, and shows what is not for them. */
public final class Shown implements Hidden {
  /** By an argument of a type. */
  public List<Inside.Part> parts() {
    return List.of();
  }

  /** By a parameter of a nested type's method. */
  public static final class Nested {
    public void take(Inside inside) {}
  }

  /** A member that is marked may. */
  @InternalApi
  public Inside allowed() {
    return new Inside();
  }

  Inside invisible() {
    return new Inside();
  }
}
