package io.tagfabric.explore;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** A change of a model that must be found; it is made wherever the changed step stands. */
public final class Mutant {
  private final String name;
  private final UnaryOperator<List<Step>> change;
  private boolean made;

  private Mutant(String name, UnaryOperator<List<Step>> change) {
    this.name = name;
    this.change = change;
  }

  /** The model as it is. */
  public static Mutant none() {
    Mutant none = new Mutant("none", steps -> steps);
    none.made = true;
    return none;
  }

  /** Leaves a step out. */
  public static Mutant without(String method, String text) {
    return each("without", method, text, step -> Step.NOTHING);
  }

  /**
   * Leaves a step out that a method has more than once.
   *
   * @param nth which of them, from 1
   */
  public static Mutant without(String method, String text, int nth) {
    return each(
        "without number " + nth, method, text, step -> step.nth() == nth ? Step.NOTHING : step);
  }

  /** Makes a store, also a volatile one or one with release order, a plain one. */
  public static Mutant plain(String method, String text) {
    return each("plain", method, text, step -> step.as(Step.Kind.STORE_PLAIN));
  }

  /** Takes a branch never. */
  public static Mutant never(String method, String condition) {
    return each("never", method, condition, step -> step.branching(r -> 0));
  }

  /** Takes a branch always. */
  public static Mutant always(String method, String condition) {
    return each("always", method, condition, step -> step.branching(r -> 1));
  }

  /** Exchanges each step of a method with the next one of another text. */
  public static Mutant swapped(String method, String first, String second) {
    return swapped(method, first, method, second);
  }

  /** Exchanges each step of a method with the next such one of another method. */
  public static Mutant swapped(String method, String first, String otherMethod, String second) {
    return new Mutant(
        "swapped " + method + ": " + first + " and " + otherMethod + ": " + second,
        steps -> {
          List<Step> changed = new ArrayList<>(steps);
          int open = -1;
          for (int i = 0; i < changed.size(); i++) {
            Step step = changed.get(i);
            if (step.is(method, first)) {
              open = i;
            } else if (open >= 0 && step.is(otherMethod, second)) {
              changed.set(i, changed.get(open));
              changed.set(open, step);
              open = -1;
            }
          }
          return changed;
        });
  }

  private static Mutant each(String what, String method, String text, UnaryOperator<Step> change) {
    return new Mutant(
        what + " in " + method + ": " + text,
        steps ->
            steps.stream().map(step -> step.is(method, text) ? change.apply(step) : step).toList());
  }

  List<Step> change(List<Step> steps) {
    List<Step> changed = change.apply(steps);
    made |= !changed.equals(steps);
    return changed;
  }

  /** Whether a program had the step. */
  boolean isMade() {
    return made;
  }

  @Override
  public String toString() {
    return name;
  }
}
