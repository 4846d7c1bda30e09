package io.tagfabric.explore;

/**
 * One step of a program: at most one access to the memory that threads share.
 *
 * @param kind what it does to memory
 * @param method the method of the real class that it stands for, empty if it stands for none
 * @param text what the listing of that method calls it
 * @param nth which access of this text it is in one call of the method, from 1
 * @param work its effect
 */
public record Step(Kind kind, String method, String text, int nth, Work work) {
  /** What a step does to memory. */
  enum Kind {
    /** Only registers and the place in the program. */
    LOCAL,
    /** Ends the program with an error if a condition does not hold. */
    CHECK,
    /** Acquire or plain: may happen while own stores, also volatile ones, are not visible yet. */
    LOAD,
    /** Comes after own volatile stores are visible. */
    LOAD_VOLATILE,
    /** May become visible before earlier stores to other cells. */
    STORE_PLAIN,
    /** Becomes visible after earlier stores. */
    STORE_RELEASE,
    /** As release; a volatile load of the same thread waits for it. */
    STORE_VOLATILE,
    /** Waits until all own stores are visible. */
    FENCE,
    /** Reads and writes at once, when all own stores are visible. */
    ATOMIC,
    /** Waits for a condition, then is as an atomic one. */
    AWAIT,
    /** A wait begins that outlasts the stores which others have made. */
    BEGIN,
    /** As AWAIT; also when all those stores are visible. */
    OUTLAST;

    boolean isStore() {
      return this == STORE_PLAIN || this == STORE_RELEASE || this == STORE_VOLATILE;
    }

    boolean isLoad() {
      return this == LOAD || this == LOAD_VOLATILE;
    }
  }

  /** The effects of the kinds. */
  sealed interface Work {}

  /** Sets registers. */
  record Registers(Change change) implements Work {}

  /** Goes on elsewhere if the condition holds. */
  record Branch(Expression condition, String label) implements Work {}

  /** Fails unless the condition holds. */
  record Condition(Expression holds) implements Work {}

  /** Reads a cell into a register. */
  record Read(int register, Expression cell) implements Work {}

  /** Writes a cell. */
  record Write(Expression cell, Expression value) implements Work {}

  /** Changes memory and registers at once when the guard holds. */
  record Update(Guard guard, Effect effect) implements Work {}

  /** A number that registers give; 0 is false. */
  @FunctionalInterface
  public interface Expression {
    int of(int[] registers);
  }

  /** Changes registers. */
  @FunctionalInterface
  public interface Change {
    void apply(int[] registers);
  }

  /** Whether a step can be taken. */
  @FunctionalInterface
  public interface Guard {
    boolean holds(int[] memory, int[] registers);
  }

  /** Changes memory and registers. */
  @FunctionalInterface
  public interface Effect {
    void apply(int[] memory, int[] registers);
  }

  static final Step NOTHING = new Step(Kind.LOCAL, "", "nothing", 1, new Registers(r -> {}));

  boolean is(String ofMethod, String withText) {
    return method.equals(ofMethod) && text.equals(withText);
  }

  Step as(Kind other) {
    return new Step(other, method, text, nth, work);
  }

  Step branching(Expression condition) {
    return new Step(kind, method, text, nth, new Branch(condition, ((Branch) work).label()));
  }
}
