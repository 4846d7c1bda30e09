package io.tagfabric.simulation.swarm;

/** An invariant does not hold. */
public final class Violation extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Invariant invariant;

  Violation(Invariant invariant, String text) {
    super(text);
    this.invariant = invariant;
  }

  Violation(Invariant invariant, String text, Throwable cause) {
    super(text, cause);
    this.invariant = invariant;
  }

  /** Which. */
  public Invariant invariant() {
    return invariant;
  }

  static void require(boolean holds, Invariant invariant, String text, Object... values) {
    if (!holds) {
      throw new Violation(invariant, String.format(java.util.Locale.ROOT, text, values));
    }
  }
}
