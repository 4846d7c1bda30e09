package io.tagfabric.collective.run;

import io.tagfabric.collective.algorithm.Shape;
import io.tagfabric.progress.TimeSource;
import java.util.function.BiConsumer;

/** A collective carried by the memory that all members share. */
final class CellRun extends CallRun {
  private static final String TIER = "cell";

  private final TeamCells cells;
  private final Input input;
  private final BiConsumer<CellRun, TeamFailure> onEnd;

  /**
   * Prepares it.
   *
   * @param onEnd runs on any thread, with null if all went well
   */
  CellRun(
      TeamCells cells,
      Input input,
      Shape shape,
      long epoch,
      CallEnd end,
      TimeSource time,
      BiConsumer<CellRun, TeamFailure> onEnd) {
    super(input.apart(), shape, epoch, end, time);
    this.input = input;
    this.cells = cells;
    this.onEnd = onEnd;
  }

  @Override
  boolean again(long itsEpoch) {
    restarted(itsEpoch);
    input.again();
    return true;
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

  void endedWell() {
    ended(TIER, TIER, MessageCounts.NONE);
  }
}
