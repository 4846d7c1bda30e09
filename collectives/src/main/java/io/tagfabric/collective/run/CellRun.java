package io.tagfabric.collective.run;

import io.tagfabric.collective.algorithm.Shape;
import io.tagfabric.progress.ProgressFuture;
import java.util.function.BiConsumer;

/** A collective carried by the memory that all members share. */
final class CellRun extends CallRun {
  private static final String TIER = "cell";

  private final TeamCells cells;
  private final BiConsumer<CellRun, TeamFailure> onEnd;

  /**
   * Prepares it.
   *
   * @param onEnd runs on any thread, with null if all went well
   */
  CellRun(
      TeamCells cells,
      CollectiveCall call,
      Shape shape,
      long epoch,
      ProgressFuture<CollectiveCompletion> future,
      BiConsumer<CellRun, TeamFailure> onEnd) {
    super(call, shape, epoch, future);
    this.cells = cells;
    this.onEnd = onEnd;
  }

  @Override
  void start() {
    cells.arrive(this);
  }

  @Override
  boolean abandon() {
    return cells.abandon(this);
  }

  void ended(TeamFailure failure) {
    onEnd.accept(this, failure);
  }

  CollectiveCompletion completion() {
    return completion(TIER, TIER, MessageCounts.NONE);
  }
}
