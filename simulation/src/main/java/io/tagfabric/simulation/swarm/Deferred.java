package io.tagfabric.simulation.swarm;

import io.tagfabric.complete.Counter;
import io.tagfabric.complete.Deferral;
import io.tagfabric.complete.DeferredOperation;
import io.tagfabric.error.FabricError;
import io.tagfabric.progress.ProgressLoop;

/** An operation that waits for a counter, watched: what it does is another's. */
final class Deferred extends DeferredOperation {
  private final SeedRun run;
  private final Triggers triggers;
  private final DeferredOperation operation;
  private final Runnable onStart;
  final Counter counter;
  final long threshold;

  /** Of what it starts: the message, the receive, or the number that it adds. */
  final Object what;

  Deferral deferral;
  boolean cancelRequested;
  private boolean started;
  private boolean cancelled;

  Deferred(
      SeedRun run,
      Triggers triggers,
      Counter counter,
      long threshold,
      Object what,
      DeferredOperation operation,
      Runnable onStart) {
    this.run = run;
    this.triggers = triggers;
    this.counter = counter;
    this.threshold = threshold;
    this.what = what;
    this.operation = operation;
    this.onStart = onStart;
  }

  boolean isWaiting() {
    return !started && !cancelled;
  }

  boolean hasStarted() {
    return started;
  }

  @Override
  public ProgressLoop loop() {
    return operation.loop();
  }

  @Override
  public boolean accept(Deferral newDeferral) {
    return operation.accept(newDeferral);
  }

  @Override
  public void start() {
    run.guarded(
        () -> {
          Violation.require(isWaiting(), Invariant.ONCE, "%s starts once more", this);
          long value = counter.value();
          Violation.require(
              value >= threshold, Invariant.CAUSE, "%s starts with a counter at %d", this, value);
          triggers.requireFirst(this);
          started = true;
          run.trace().note(60, threshold, value, 0, () -> "starts  " + this);
          run.probes().reach(Probe.STARTED_LATER);
          onStart.run();
        });
    operation.start();
  }

  @Override
  public void cancel(FabricError error, String detail) {
    run.guarded(
        () -> {
          Violation.require(isWaiting(), Invariant.ONCE, "%s is taken back, too late", this);
          Violation.require(
              error == FabricError.CANCELED && (cancelRequested || !triggers.node().isUp()),
              Invariant.CAUSE,
              "%s is taken back for no reason: %s, %s",
              this,
              error,
              detail);
          cancelled = true;
          if (what instanceof Message message) {
            message.cancelRequested = true;
          } else if (what instanceof Receive receive) {
            receive.cancelRequested = true;
          }
          run.probes().reach(Probe.TAKEN_BACK);
        });
    operation.cancel(error, detail);
  }

  @Override
  public String toString() {
    return "what waits for " + threshold + ": " + what;
  }
}
