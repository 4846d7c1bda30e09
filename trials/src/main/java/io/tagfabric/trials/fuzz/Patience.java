package io.tagfabric.trials.fuzz;

import java.util.concurrent.TimeUnit;

/**
 * How long an attacker may wait for the end of an operation: for ever if its packet was lost on
 * purpose. Thread: one.
 */
final class Patience {
  private static final int STEPS = 150;
  private static final long TIME_NS = TimeUnit.MILLISECONDS.toNanos(150);

  private final boolean inSteps;
  private int steps;
  private long sinceNs = System.nanoTime();

  /**
   * @param inSteps whether it is counted in questions, so that the same run takes the same way;
   *     time passes where threads or a network take part
   */
  Patience(boolean inSteps) {
    this.inSteps = inSteps;
  }

  /** Something has ended. */
  void renew() {
    steps = 0;
    sinceNs = System.nanoTime();
  }

  boolean isOver() {
    steps++;
    return inSteps ? steps > STEPS : System.nanoTime() - sinceNs > TIME_NS;
  }
}
