package io.tagfabric.collective.run;

import io.tagfabric.collective.algorithm.Shape;
import io.tagfabric.progress.ProgressFuture;
import java.util.function.BiConsumer;

/** A collective carried by the memory that all members share. */
final class CellRun extends CallRun {
  private final TeamCells cells;
  private final CollectiveCall call;
  private final Shape shape;
  private final BiConsumer<CellRun, TeamFailure> onEnd;
  private final long startedNs = System.nanoTime();

  /**
   * Prepares it.
   *
   * @param onEnd is told on any thread, with null if all went well
   */
  CellRun(
      TeamCells cells,
      CollectiveCall call,
      Shape shape,
      long epoch,
      ProgressFuture<CollectiveCompletion> future,
      BiConsumer<CellRun, TeamFailure> onEnd) {
    super(epoch, future);
    this.cells = cells;
    this.call = call;
    this.shape = shape;
    this.onEnd = onEnd;
  }

  CollectiveCall call() {
    return call;
  }

  Shape shape() {
    return shape;
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
    return new CollectiveCompletion(
        call.collective(), "cell", "cell", 1, 0, 0, System.nanoTime() - startedNs);
  }
}
