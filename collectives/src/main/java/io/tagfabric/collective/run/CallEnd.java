package io.tagfabric.collective.run;

import io.tagfabric.progress.ProgressFuture;
import io.tagfabric.progress.ProgressFutures;

/** Hears once how a started collective has ended. */
interface CallEnd {
  /** This member has its result. On the loop. */
  void completed(CallRun run);

  /** The team is broken. On the loop, or on the thread that starts. */
  void failed(TeamException failure);

  /** Completes a future. */
  static CallEnd of(ProgressFuture<CollectiveCompletion> future, ProgressFutures futures) {
    return new CallEnd() {
      @Override
      public void completed(CallRun run) {
        futures.complete(future, run.completion());
      }

      @Override
      public void failed(TeamException failure) {
        futures.fail(future, failure);
      }
    };
  }
}
