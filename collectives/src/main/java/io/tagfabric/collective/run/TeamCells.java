package io.tagfabric.collective.run;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Where the members of a team inside one JVM meet, without a message: a cell for each collective.
 * Each member leaves its call there, and the last one to come does the work of all. Thread: any.
 */
final class TeamCells {
  private record Key(int context, List<Long> members) {
    static Key of(Members members) {
      return new Key(members.context(), members.identities());
    }
  }

  private static final Map<Key, TeamCells> ALL = new ConcurrentHashMap<>();

  private final Key key;
  private final int size;
  private final Map<Long, Cell> cells = new ConcurrentHashMap<>();
  private final Map<Integer, Consumer<TeamFailure>> joined = new ConcurrentHashMap<>();
  private volatile TeamFailure failure;

  private TeamCells(Key key, int size) {
    this.key = key;
    this.size = size;
  }

  /**
   * The cells of a team; {@link #leave} must follow.
   *
   * @param onFailure runs on any thread when the team is broken
   */
  static TeamCells join(Members members, Consumer<TeamFailure> onFailure) {
    TeamCells joined =
        ALL.compute(
            Key.of(members),
            (key, before) -> {
              TeamCells cells = before == null ? new TeamCells(key, members.size()) : before;
              cells.joined.put(members.rank(), onFailure);
              return cells;
            });
    TeamFailure known = joined.failure;
    if (known != null) {
      onFailure.accept(known);
    }
    return joined;
  }

  /** Ends what {@link #join} began. */
  void leave(int rank) {
    ALL.compute(
        key,
        (notUsed, cells) -> {
          joined.remove(rank);
          return joined.isEmpty() ? null : cells;
        });
  }

  /** Tells all members that the team is broken. */
  void fail(TeamFailure reason) {
    if (failure == null) {
      failure = reason;
      joined.values().forEach(each -> each.accept(reason));
    }
  }

  /** Adds a member's call; if it is the last, all members' calls end. */
  void arrive(CellRun run) {
    Cell cell = cells.computeIfAbsent(run.epoch(), notUsed -> new Cell(size));
    if (cell.add(run)) {
      cells.remove(run.epoch());
      cell.perform();
    }
  }

  /** Gives a collective up for all members; false if it is being performed. */
  boolean abandon(CellRun run) {
    Cell cell = cells.get(run.epoch());
    return cell != null && cell.abandon();
  }

  /** One collective of all members. */
  private static final class Cell {
    private final CellRun[] runs;
    private int missing;
    private boolean abandoned;

    Cell(int size) {
      runs = new CellRun[size];
      missing = size;
    }

    /** True for the last one. */
    synchronized boolean add(CellRun run) {
      runs[run.shape().rank()] = run;
      return --missing == 0 && !abandoned;
    }

    synchronized boolean abandon() {
      if (missing == 0) {
        return abandoned;
      }
      abandoned = true;
      return true;
    }

    void perform() {
      TeamFailure failure = new CellWork(runs).perform();
      for (CellRun run : runs) {
        run.ended(failure);
      }
    }
  }
}
