package io.tagfabric.collective.schedule;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import java.util.ArrayList;
import java.util.List;

/**
 * Puts a schedule together. Transfers open a round, local steps follow them; a transfer after a
 * local step begins the next round by itself. Steps without elements are left out, save signals.
 */
@InternalApi
public final class ScheduleBuilder {
  private final int rank;
  private final int size;
  private final List<Round> rounds = new ArrayList<>();
  private final List<Step.Send> sends = new ArrayList<>();
  private final List<Step.Receive> receives = new ArrayList<>();
  private final List<Step.Local> locals = new ArrayList<>();
  private int scratchLength;

  /** Begins the schedule of one rank. */
  public ScheduleBuilder(int rank, int size) {
    if (rank < 0 || rank >= size) {
      throw new IllegalArgumentException("rank=" + rank + " is outside 0.." + (size - 1));
    }
    this.rank = rank;
    this.size = size;
  }

  /** Takes scratch memory that no slice taken before shares. */
  public Slice scratch(int length) {
    Slice slice = Memory.SCRATCH.slice(scratchLength, length);
    if (length > Integer.MAX_VALUE - scratchLength) {
      throw new FabricException(
          FabricError.NO_MEMORY,
          "the algorithm needs more than "
              + Integer.MAX_VALUE
              + " elements of its own, call with fewer elements or force another algorithm");
    }
    scratchLength += length;
    return slice;
  }

  /** Sends elements. */
  public ScheduleBuilder send(int to, Slice from) {
    return from.length() == 0 ? this : transfer(new Step.Send(other(to), from), null);
  }

  /** Receives elements. */
  public ScheduleBuilder receive(int from, Slice into) {
    return into.length() == 0 ? this : transfer(null, new Step.Receive(other(from), into));
  }

  /** Sends an empty message. */
  public ScheduleBuilder signal(int to) {
    return transfer(new Step.Send(other(to), Memory.SCRATCH.slice(0, 0)), null);
  }

  /** Waits for an empty message. */
  public ScheduleBuilder awaitSignal(int from) {
    return transfer(null, new Step.Receive(other(from), Memory.SCRATCH.slice(0, 0)));
  }

  private ScheduleBuilder transfer(Step.Send send, Step.Receive receive) {
    if (!locals.isEmpty()) {
      nextRound();
    }
    if (send != null) {
      sends.add(send);
    } else {
      receives.add(receive);
    }
    return this;
  }

  private int other(int peer) {
    if (peer < 0 || peer >= size || peer == rank) {
      throw new IllegalArgumentException(
          "peer=" + peer + " is not another rank than rank=" + rank + " of size=" + size);
    }
    return peer;
  }

  /** Copies elements; to the same place is nothing. */
  public ScheduleBuilder copy(Slice from, Slice into) {
    requireEqual(from, into);
    if (from.length() > 0 && !from.equals(into)) {
      locals.add(new Step.Copy(from, into));
    }
    return this;
  }

  /** Combines elements, those of the lower ranks on the left. */
  public ScheduleBuilder reduce(Slice left, Slice right, Slice into) {
    requireEqual(left, into);
    requireEqual(right, into);
    if (into.length() > 0) {
      locals.add(new Step.Reduce(left, right, into));
    }
    return this;
  }

  private static void requireEqual(Slice one, Slice other) {
    if (one.length() != other.length()) {
      throw new IllegalArgumentException("lengths of " + one + " and " + other + " differ");
    }
  }

  /**
   * Adds all of the schedule of a smaller team, in rounds of its own.
   *
   * @param ranks its ranks, as ranks of this one
   * @param input where its input is
   * @param output where its output is
   */
  public ScheduleBuilder embed(Schedule part, int[] ranks, Slice input, Slice output) {
    nextRound();
    Slice scratch = scratch(part.scratchLength());
    for (Round round : part.rounds()) {
      rounds.add(new Embedding(ranks, input, output, scratch).of(round));
    }
    return this;
  }

  /** Ends the round; what comes next waits for all of it. */
  public ScheduleBuilder nextRound() {
    Round round = new Round(sends, receives, locals);
    if (!round.isEmpty()) {
      rounds.add(round);
    }
    sends.clear();
    receives.clear();
    locals.clear();
    return this;
  }

  /** The schedule. */
  public Schedule build() {
    nextRound();
    return new Schedule(rank, size, rounds, scratchLength);
  }
}
