package io.tagfabric.collective;

import io.tagfabric.collective.run.CollectiveCompletion;
import io.tagfabric.collective.run.PreparedRun;
import io.tagfabric.collective.run.TeamException;
import io.tagfabric.link.Posted;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;

/**
 * A collective that is called again and again with the same memory: checked, described and given an
 * algorithm once. Each start counts as a call of the team, like any other. Thread: any, one at a
 * time.
 *
 * <p><b>Garbage.</b> In a cell, in the memory of one host and by short messages a start, its end,
 * {@link #isDone} and a listener without arguments allocate nothing once warm, if the domain is in
 * MANUAL progress and hands over by call. {@link #stage}, {@link #completion} and a listener with
 * arguments make an object each; long messages make some. By messages it keeps memory for all that
 * a call receives, unless the call is of more segments than may be in flight.
 *
 * @source MPI-4.1 §6.13 (persistent collective operations)
 */
public final class PreparedCollective {
  private final PreparedRun run;

  PreparedCollective(PreparedRun run) {
    this.run = run;
  }

  /**
   * Says who hears of every end from now on, with the completion or with the failure.
   *
   * @param end runs where continuations of the domain's futures do: in MANUAL progress on the
   *     thread that drives, else on the system's dispatcher
   */
  public PreparedCollective onEnd(BiConsumer<CollectiveCompletion, Throwable> end) {
    run.onEnd(end);
    return this;
  }

  /**
   * Says who hears of every end from now on, and may look here how it went; runs as the other. To
   * start again, do it from here or after it.
   */
  public PreparedCollective onEnd(Runnable end) {
    run.onEnd(end);
    return this;
  }

  /**
   * Starts it; returns at once.
   *
   * @return TRY_AGAIN if the start before has not ended; then nothing has happened
   */
  public Posted start() {
    return run.start();
  }

  /** Whether the last start has ended, well or not; true before the first. */
  public boolean isDone() {
    return run.isDone();
  }

  /** Why the last start has failed; null if it has not, or not ended. */
  public TeamException failure() {
    return run.failure();
  }

  /** How the last start went; null if it has not ended, or not well. */
  public CollectiveCompletion completion() {
    return run.completion();
  }

  /**
   * The end of the last start; waiting for it drives the domain.
   *
   * @throws IllegalStateException before the first
   */
  public CompletionStage<CollectiveCompletion> stage() {
    return run.stage();
  }
}
