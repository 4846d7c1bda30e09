package io.tagfabric.complete;

import io.tagfabric.error.FabricError;
import java.util.concurrent.CompletionStage;

/** An operation that waits for a counter. Thread: any. */
public final class Deferral {
  /** Where it is; changed on the loop. */
  enum State {
    WAITING,
    STARTED,
    CANCELLED
  }

  private final Counter counter;
  private final DeferredOperation operation;
  private CounterWaits.Waiter waiter;
  private volatile State state = State.WAITING;

  Deferral(Counter counter, DeferredOperation operation) {
    this.counter = counter;
    this.operation = operation;
  }

  /** What waits for it in the counter; written before that begins. */
  void waiter(CounterWaits.Waiter newWaiter) {
    waiter = newWaiter;
  }

  CounterWaits.Waiter waiter() {
    return waiter;
  }

  /** Whether it has neither been started nor cancelled. */
  public boolean isWaiting() {
    return state == State.WAITING;
  }

  /** Whether it was started. */
  public boolean hasStarted() {
    return state == State.STARTED;
  }

  /**
   * Takes it back: it ends with CANCELED where it would have ended.
   *
   * @return false if it was started, or taken back, before
   */
  public CompletionStage<Boolean> cancel() {
    return counter.cancel(this);
  }

  /** On the loop. */
  void start() {
    if (state == State.WAITING) {
      state = State.STARTED;
      operation.start();
    }
  }

  /** On the loop; false if it does not wait any more. */
  boolean end(FabricError error, String detail) {
    if (state != State.WAITING) {
      return false;
    }
    state = State.CANCELLED;
    operation.cancel(error, detail);
    return true;
  }
}
