package io.tagfabric.collective.run;

import io.tagfabric.progress.ProgressFuture;

/** A started collective of one member. Only passes of the member's loop touch it. */
abstract class CallRun {
  private final long epoch;
  private final ProgressFuture<CollectiveCompletion> future;

  CallRun(long epoch, ProgressFuture<CollectiveCompletion> future) {
    this.epoch = epoch;
    this.future = future;
  }

  final long epoch() {
    return epoch;
  }

  final ProgressFuture<CollectiveCompletion> future() {
    return future;
  }

  abstract void start();

  /** Ends it without a word; false if it is about to complete and must not be touched. */
  abstract boolean abandon();
}
