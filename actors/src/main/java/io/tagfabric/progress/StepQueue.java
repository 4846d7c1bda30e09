package io.tagfabric.progress;

import io.tagfabric.annotation.InternalApi;
import java.util.Arrays;

/**
 * What the plain cores of a domain hand to one another while one of them handles something: a step
 * up or sideways waits here until the handler has returned, so no core is entered while it is at
 * work, and nothing recurses. Steps run in the order added. Nothing is allocated while the queue is
 * as long as it was before.
 *
 * <p>Thread: the one that drives the domain's loop.
 */
@InternalApi
public final class StepQueue {
  /** Takes one kind of step. */
  @FunctionalInterface
  public interface Handler<T> {
    /** Takes a step; a handler that throws keeps the others waiting until the next run. */
    void take(T what);
  }

  private static final int INITIAL_LENGTH = 64;

  private Handler<?>[] handlers = new Handler<?>[INITIAL_LENGTH];
  private Object[] steps = new Object[INITIAL_LENGTH];
  private int first;
  private int count;
  private boolean running;

  /** Adds a step; it runs after those added before. */
  public <T> void add(Handler<T> handler, T what) {
    if (count == steps.length) {
      grow();
    }
    int at = (first + count) & (steps.length - 1);
    handlers[at] = handler;
    steps[at] = what;
    count++;
  }

  private void grow() {
    int length = steps.length;
    Handler<?>[] longerHandlers = Arrays.copyOf(handlers, 2 * length);
    Object[] longerSteps = Arrays.copyOf(steps, 2 * length);
    // What lies before the first goes behind the last.
    System.arraycopy(handlers, 0, longerHandlers, length, first);
    System.arraycopy(steps, 0, longerSteps, length, first);
    handlers = longerHandlers;
    steps = longerSteps;
  }

  /** Whether no step waits. */
  public boolean isEmpty() {
    return count == 0;
  }

  /**
   * Runs all steps, also those that they add; does nothing inside a step. Call it when a handler
   * has returned.
   *
   * @return how many ran
   */
  public int run() {
    if (count == 0 || running) {
      return 0;
    }
    running = true;
    int ran = 0;
    try {
      while (count > 0) {
        ran++;
        runFirst();
      }
    } finally {
      running = false;
    }
    return ran;
  }

  // Each slot holds a handler and a step that were added together.
  @SuppressWarnings("unchecked")
  private void runFirst() {
    int at = first;
    Handler<Object> handler = (Handler<Object>) handlers[at];
    Object step = steps[at];
    handlers[at] = null;
    steps[at] = null;
    first = (at + 1) & (steps.length - 1);
    count--;
    handler.take(step);
  }
}
