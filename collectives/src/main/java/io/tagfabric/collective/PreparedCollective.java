package io.tagfabric.collective;

import io.tagfabric.collective.run.CollectiveCompletion;
import io.tagfabric.collective.run.ScheduleRunner;
import io.tagfabric.endpoint.Posted;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;

/**
 * A collective that is called again and again with the same memory: checked, described and given an
 * algorithm once. Each start counts as a call of the team, like any other. Thread: any, one at a
 * time.
 *
 * @source MPI-4.1 §6.13 (persistent collective operations)
 */
public final class PreparedCollective {
  private final ScheduleRunner runner;
  private final ScheduleRunner.Prepared prepared;
  private BiConsumer<CollectiveCompletion, Throwable> listener = (completion, failure) -> {};
  private CompletableFuture<CollectiveCompletion> last;

  PreparedCollective(ScheduleRunner runner, ScheduleRunner.Prepared prepared) {
    this.runner = runner;
    this.prepared = prepared;
  }

  /**
   * Says who hears of every end from now on, with the completion or with the failure.
   *
   * @param end runs where continuations of the domain's futures do: in MANUAL progress on the
   *     thread that drives, else on the system's dispatcher
   */
  public PreparedCollective onEnd(BiConsumer<CollectiveCompletion, Throwable> end) {
    listener = end;
    return this;
  }

  /**
   * Starts it; returns at once.
   *
   * @return TRY_AGAIN if the start before has not ended; then nothing has happened
   */
  public Posted start() {
    if (!isDone()) {
      return Posted.TRY_AGAIN;
    }
    CompletionStage<CollectiveCompletion> started = runner.start(prepared);
    last = started.toCompletableFuture();
    started.whenComplete(listener);
    return Posted.POSTED;
  }

  /** Whether the last start has ended, well or not; true before the first. */
  public boolean isDone() {
    return last == null || last.isDone();
  }

  /**
   * The end of the last start; waiting for it drives the domain.
   *
   * @throws IllegalStateException before the first
   */
  public CompletionStage<CollectiveCompletion> stage() {
    if (last == null) {
      throw new IllegalStateException("started=0, start it before its stage is asked for");
    }
    return last;
  }
}
