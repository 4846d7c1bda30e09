package io.tagfabric.progress;

import java.util.Arrays;

/** Steps that each pass of a loop runs in turn; changed seldom, by any thread. */
final class LoopSteps {
  private volatile ProgressLoop.Step[] steps = {};

  synchronized void add(ProgressLoop.Step step) {
    ProgressLoop.Step[] longer = Arrays.copyOf(steps, steps.length + 1);
    longer[steps.length] = step;
    steps = longer;
  }

  /** A pass under way may still run it. */
  synchronized void remove(ProgressLoop.Step step) {
    steps = Arrays.stream(steps).filter(each -> each != step).toArray(ProgressLoop.Step[]::new);
  }

  boolean isEmpty() {
    return steps.length == 0;
  }

  /** All of them. A caller runs them in a loop of its own, so that its calls are inlined. */
  ProgressLoop.Step[] all() {
    return steps;
  }
}
