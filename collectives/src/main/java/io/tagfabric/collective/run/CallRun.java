package io.tagfabric.collective.run;

import io.tagfabric.collective.algorithm.Shape;
import io.tagfabric.progress.ProgressFuture;

/** A started collective of one member. Only passes of the member's loop touch it. */
abstract class CallRun {
  /** Is told once how it ended. */
  interface Listener {
    void onDone(CallRun run, CollectiveCompletion completion);

    void onFailed(TeamFailure failure);
  }

  private final CollectiveCall call;
  private final Shape shape;
  private final long epoch;
  private final ProgressFuture<CollectiveCompletion> future;
  private final long startedNs;

  CallRun(
      CollectiveCall call, Shape shape, long epoch, ProgressFuture<CollectiveCompletion> future) {
    this.call = call;
    this.shape = shape;
    this.epoch = epoch;
    this.future = future;
    startedNs = future.time().nanoTime();
  }

  final CollectiveCall call() {
    return call;
  }

  final Shape shape() {
    return shape;
  }

  final long epoch() {
    return epoch;
  }

  final ProgressFuture<CollectiveCompletion> future() {
    return future;
  }

  /** How it went, if it ends now. */
  final CollectiveCompletion completion(String algorithm, String tier, MessageCounts counts) {
    return new CollectiveCompletion(
        call.collective(),
        algorithm,
        tier,
        counts.segments(),
        counts.messages(),
        counts.bytes(),
        future.time().nanoTime() - startedNs);
  }

  abstract void start();

  /** Ends it without a word; false if it is about to complete and must not be touched. */
  abstract boolean abandon();
}
