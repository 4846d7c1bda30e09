package io.tagfabric.collective.run;

import io.tagfabric.collective.algorithm.Shape;
import io.tagfabric.progress.TimeSource;
import java.util.function.BiConsumer;

/** A collective carried by the memory that all members share. */
final class CellRun extends CallRun {
  private static final String TIER = "cell";

  private final TeamCells cells;

  /** Null if the work leaves alone what it reads, until it has read it. */
  private final Input input;

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
      CallEnd end,
      TimeSource time,
      BiConsumer<CellRun, TeamFailure> onEnd) {
    this(
        cells,
        call,
        CellWork.readsFirst(call) ? null : new Input(call),
        shape,
        epoch,
        end,
        time,
        onEnd);
  }

  private CellRun(
      TeamCells cells,
      CollectiveCall call,
      Input input,
      Shape shape,
      long epoch,
      CallEnd end,
      TimeSource time,
      BiConsumer<CellRun, TeamFailure> onEnd) {
    super(input == null ? call : input.apart(), shape, epoch, end, time);
    this.input = input;
    this.cells = cells;
    this.onEnd = onEnd;
  }

  @Override
  boolean again(long itsEpoch) {
    restarted(itsEpoch);
    if (input != null) {
      input.again();
    }
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
