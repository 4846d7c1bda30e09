package io.tagfabric.collective.run;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * Where the members of a team inside one JVM meet, without a message: a cell for each collective.
 * Each member leaves its call there, and the last one to come does the work of all. What members
 * agree on, and who has left, stands here too. Thread: any.
 */
final class TeamCells {
  private record Key(int number, MemberIdentities members) {
    static Key of(Members members) {
      return new Key(members.numberAt(0), members.identities());
    }
  }

  private static final Map<Key, TeamCells> ALL = new ConcurrentHashMap<>();

  /** Cells kept: so many calls may overlap without new ones. */
  private static final int MOST_SPARE = 8;

  private final Key key;
  private final int size;

  /** Guarded by itself. Cells are used again, so that calls allocate nothing. */
  private final Long2ObjectHashMap<Cell> cells = new Long2ObjectHashMap<>();

  private final ArrayDeque<Cell> spareCells = new ArrayDeque<>();
  private final Map<Integer, Consumer<TeamFailure>> joined = new ConcurrentHashMap<>();

  /** Collectives that members have taken part in before they left, or were lost. */
  private final Map<Integer, Long> gone = new ConcurrentHashMap<>();

  private final Map<Long, Proposals> agreements = new HashMap<>();
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

  /** Teams that have cells. For tests. */
  static int count() {
    return ALL.size();
  }

  /**
   * Ends what {@link #join} began. Idempotent.
   *
   * @param calls collectives that the member has taken part in
   */
  void leave(int rank, long calls) {
    ALL.compute(
        key,
        (notUsed, known) -> {
          joined.remove(rank);
          return known == this && joined.isEmpty() ? null : known;
        });
    if (goes(rank, calls) && hasCellFrom(calls)) {
      fail(TeamFailure.left(rank));
    }
  }

  private boolean hasCellFrom(long calls) {
    synchronized (cells) {
      return cells.keySet().stream().anyMatch(epoch -> epoch >= calls);
    }
  }

  private boolean goes(int rank, long calls) {
    boolean isNew = gone.putIfAbsent(rank, calls) == null;
    if (isNew) {
      decideAll();
    }
    return isNew;
  }

  /** Members that take no part any more. */
  BitSet gone() {
    BitSet ranks = new BitSet();
    gone.keySet().forEach(ranks::set);
    return ranks;
  }

  /** Tells all members that the team is broken. */
  void fail(TeamFailure reason) {
    if (reason.isGone()) {
      goes(reason.member(), 0);
    }
    if (failure == null) {
      failure = reason;
      joined.values().forEach(each -> each.accept(reason));
    }
  }

  /** Adds a member's call; if it is the last, all members' calls end. */
  void arrive(CellRun run) {
    Cell complete = add(run);
    if (complete != null) {
      TeamFailure late = complete.perform();
      synchronized (cells) {
        if (spareCells.size() < MOST_SPARE) {
          spareCells.push(complete);
        }
      }
      if (late != null) {
        fail(late);
      }
      return;
    }
    if (gone.isEmpty()) {
      return;
    }
    gone.forEach(
        (rank, calls) -> {
          if (calls <= run.epoch()) {
            fail(TeamFailure.left(rank));
          }
        });
  }

  /** The cell in which it is the last to come; null if others are missing. */
  private Cell add(CellRun run) {
    synchronized (cells) {
      Cell cell = cells.get(run.epoch());
      if (cell == null) {
        cell = spareCells.poll();
        if (cell == null) {
          cell = new Cell(size);
        }
        cells.put(run.epoch(), cell);
      }
      if (!cell.add(run)) {
        return null;
      }
      cells.remove(run.epoch());
      return cell;
    }
  }

  /** Gives a collective up for all members; false if it is being performed. */
  boolean abandon(CellRun run) {
    synchronized (cells) {
      Cell cell = cells.get(run.epoch());
      return cell != null && cell.abandon();
    }
  }

  /**
   * Members that have not made a call yet.
   *
   * @param epoch its number; all others have made it or are gone
   */
  BitSet missing(long epoch) {
    synchronized (cells) {
      Cell cell = cells.get(epoch);
      return cell == null ? new BitSet() : cell.missing();
    }
  }

  /**
   * Proposes something on which some members agree, those of them that are not gone.
   *
   * @param ranks these members
   * @param place of this one among them
   * @param onDecided runs on any thread
   * @return takes the proposal back; false if it is too late
   */
  BooleanSupplier agree(
      List<Integer> ranks,
      int place,
      long instance,
      Decision proposal,
      Consumer<Decision> onDecided) {
    synchronized (agreements) {
      Proposals proposals =
          agreements.computeIfAbsent(instance, notUsed -> new Proposals(ranks, gone.keySet()));
      proposals.add(place, proposal, onDecided);
      if (!proposals.areComplete()) {
        return () -> withdraw(instance, place, onDecided);
      }
    }
    decideAll();
    return () -> withdraw(instance, place, onDecided);
  }

  private boolean withdraw(long instance, int place, Consumer<Decision> onDecided) {
    synchronized (agreements) {
      Proposals proposals = agreements.get(instance);
      if (proposals == null || !proposals.waiting.remove(onDecided)) {
        return false;
      }
      proposals.remove(place, gone.keySet());
      if (proposals.all.isEmpty()) {
        agreements.remove(instance);
      }
      return true;
    }
  }

  private void decideAll() {
    Map<Consumer<Decision>, Decision> decided = new LinkedHashMap<>();
    synchronized (agreements) {
      agreements
          .values()
          .removeIf(
              proposals -> {
                proposals.lose(gone.keySet());
                if (!proposals.areComplete()) {
                  return false;
                }
                Decision decision = proposals.decide();
                proposals.waiting.forEach(each -> decided.put(each, decision));
                return true;
              });
    }
    decided.forEach(Consumer::accept);
  }

  /** What members propose in one agreement. A proposal costs the same in teams of any size. */
  private static final class Proposals {
    private final List<Integer> ranks;
    private final Map<Integer, Decision> all = new HashMap<>();
    private final Set<Consumer<Decision>> waiting = new LinkedHashSet<>();

    /** Places of members that are gone. */
    private final BitSet absent = new BitSet();

    /** Places of members that are not gone and have not proposed. */
    private final BitSet open = new BitSet();

    private int missing;

    Proposals(List<Integer> ranks, Set<Integer> gone) {
      this.ranks = ranks;
      open.set(0, ranks.size());
      missing = ranks.size();
      lose(gone);
    }

    void add(int place, Decision proposal, Consumer<Decision> onDecided) {
      all.put(place, proposal);
      waiting.add(onDecided);
      close(place);
    }

    void remove(int place, Set<Integer> gone) {
      all.remove(place);
      if (!gone.contains(ranks.get(place))) {
        open.set(place);
        missing++;
      }
    }

    private void close(int place) {
      if (open.get(place)) {
        open.clear(place);
        missing--;
      }
    }

    void lose(Set<Integer> gone) {
      if (gone.isEmpty()) {
        return;
      }
      for (int place = 0; place < ranks.size(); place++) {
        if (gone.contains(ranks.get(place))) {
          absent.set(place);
          close(place);
        }
      }
    }

    boolean areComplete() {
      return missing == 0;
    }

    Decision decide() {
      return Decision.of(all.values(), absent);
    }
  }

  /** One collective of all members. Guarded by the cells, until it is complete. */
  private static final class Cell {
    private final CellRun[] runs;
    private final CellWork work;
    private int missing;
    private boolean abandoned;

    /** The first to come, with which the others are compared while they are at hand. */
    private CellRun first;

    private boolean hasDifferent;

    Cell(int size) {
      runs = new CellRun[size];
      work = new CellWork(runs);
      missing = size;
    }

    /** True for the last one. */
    boolean add(CellRun run) {
      if (first == null) {
        first = run;
      } else if (!CallSignature.areEqual(run, first)) {
        hasDifferent = true;
      }
      runs[run.shape().rank()] = run;
      return --missing == 0 && !abandoned;
    }

    boolean abandon() {
      if (missing == 0) {
        return abandoned;
      }
      abandoned = true;
      return true;
    }

    BitSet missing() {
      BitSet ranks = new BitSet();
      for (int rank = 0; rank < runs.length; rank++) {
        ranks.set(rank, runs[rank] == null);
      }
      return ranks;
    }

    /**
     * Does it; then it may be used again.
     *
     * @return what has gone wrong when some members had ended well already, null if nothing
     */
    TeamFailure perform() {
      TeamFailure failure = hasDifferent ? work.difference() : work.perform();
      missing = runs.length;
      first = null;
      hasDifferent = false;
      TeamFailure late = null;
      for (int rank = runs.length - 1; rank >= 0; rank--) {
        if (failure == null) {
          late = work.deliver(rank);
          failure = late;
        }
        CellRun run = runs[rank];
        runs[rank] = null;
        run.ended(failure);
      }
      return late;
    }
  }
}
