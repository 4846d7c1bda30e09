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

  /** Waits for it in the counter. */
  final class Waiter implements CounterWaits.Waiter {
    Deferral deferral() {
      return Deferral.this;
    }

    @Override
    public boolean isOver() {
      return !isWaiting();
    }

    @Override
    public void onReached(long reached) {
      start();
    }

    @Override
    public void onFailed(FabricError error) {
      end(error, "the counter that it waited for was closed");
    }
  }

  private final Deferrals all;
  private final DeferredOperation operation;
  private final Waiter waiter = new Waiter();
  private volatile State state = State.WAITING;

  Deferral(Deferrals all, DeferredOperation operation) {
    this.all = all;
    this.operation = operation;
  }

  Waiter waiter() {
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
    return all.cancel(this);
  }

  /** On the loop. */
  private void start() {
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
