package io.tagfabric.complete;

import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.progress.ProgressFuture;
import io.tagfabric.progress.ProgressFutures;
import io.tagfabric.progress.ProgressLoop;
import java.util.concurrent.CompletionStage;

/**
 * The operations that wait for one counter, see {@link Counter#defer}. Any thread defers and
 * cancels; operations start and end on the domain's loop.
 */
final class Deferrals {
  private final CounterState state;
  private final ProgressLoop loop;
  private final ProgressFutures futures;

  Deferrals(CounterState state, ProgressLoop loop, ProgressFutures futures) {
    this.state = state;
    this.loop = loop;
    this.futures = futures;
  }

  Deferral defer(long threshold, DeferredOperation operation) {
    state.requireOpen();
    if (operation.loop() != loop) {
      throw new IllegalArgumentException(
          FabricError.DOMAIN
              + ": the operation is of another domain than the counter, use a counter of its domain");
    }
    operation.begin();
    Deferral deferral = new Deferral(this, operation);
    if (!operation.accept(deferral)) {
      throw new FabricException(
          FabricError.AGAIN, "no slot in the queue of the operation, read completions first");
    }
    state.defer(threshold, deferral.waiter());
    return deferral;
  }

  CompletionStage<Boolean> cancel(Deferral deferral) {
    ProgressFuture<Boolean> future = futures.create();
    if (!deferral.isWaiting()) {
      future.complete(false);
      return future;
    }
    loop.execute(() -> futures.complete(future, end(deferral)));
    loop.wake();
    return future;
  }

  private boolean end(Deferral deferral) {
    state.remove(deferral.waiter());
    return deferral.end(FabricError.CANCELED, "cancelled");
  }

  /** Takes back all that wait; returns how many there were. Thread: the loop. */
  int flush() {
    int ended = 0;
    for (CounterWaits.Waiter waiter : state.deferred()) {
      state.remove(waiter);
      if (((Deferral.Waiter) waiter).deferral().end(FabricError.CANCELED, "cancelled by a flush")) {
        ended++;
      }
    }
    return ended;
  }
}
