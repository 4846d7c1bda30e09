package io.tagfabric.simulation.world;

import io.tagfabric.simulation.choice.Choices;
import io.tagfabric.simulation.choice.TraceHash;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Gives turns to participants, one at a time, on one virtual clock. While one is ready, a turn
 * costs little time; when none is, the clock jumps to the next thing that is to happen. Thread:
 * one, save for program threads, which run while they hold the {@link Baton}.
 */
public final class Scheduler {
  /** What a turn costs in the mean; programs and loops are not free. */
  private static final int TURN_NS = 500;

  /** What takes so many turns never comes to an end. */
  private static final long MOST_TURNS = 2_000_000;

  private final VirtualClock clock = new VirtualClock(this);
  private final TimedQueue timed = new TimedQueue();
  private final List<Participant> participants = new ArrayList<>();
  private final Choices choices;
  private final TraceHash hash = new TraceHash();
  private Policy policy;
  private Participant[] ready = new Participant[16];
  private long turns;
  private Participant taking;

  /** A scheduler whose order is decided by these choices, at first by chance alone. */
  public Scheduler(Choices choices) {
    this.choices = choices;
    policy = Policy.uniform(choices);
  }

  /** Chooses from now on. */
  public void policy(Policy newPolicy) {
    policy = newPolicy;
  }

  /** The clock of everything that takes turns here. */
  public VirtualClock clock() {
    return clock;
  }

  /** What is decided by chance. */
  public Choices choices() {
    return choices;
  }

  /** What has happened. */
  public TraceHash hash() {
    return hash;
  }

  /** Turns so far. */
  public long turns() {
    return turns;
  }

  /** Who takes the present turn; null outside of one. */
  public Participant taking() {
    return taking;
  }

  /** Adds one that takes turns from now on. */
  public void add(Participant participant) {
    participants.add(participant);
  }

  /** It takes no more turns. */
  public void remove(Participant participant) {
    participants.remove(participant);
  }

  /** Does something at a time. */
  public TimedQueue.Timed at(long timeNs, Runnable action) {
    return timed.add(timeNs, action);
  }

  /** Does something after a time. */
  public TimedQueue.Timed after(long delayNs, Runnable action) {
    return at(clock.nanoTime() + delayNs, action);
  }

  /**
   * Gives one turn, at a time of this or later.
   *
   * @param limitNs the clock is not moved beyond
   * @return false if nothing is left to do before the limit
   */
  public boolean turn(long limitNs) {
    int count = collectReady();
    while (count == 0) {
      long nextNs = nextNs();
      if (nextNs > limitNs || nextNs == Long.MAX_VALUE) {
        return false;
      }
      clock.moveTo(nextNs);
      runDue();
      count = collectReady();
    }
    Participant chosen = ready[count == 1 ? 0 : policy.next(ready, count)];
    turns++;
    hash.add(chosen.name().hashCode());
    Participant before = taking;
    taking = chosen;
    try {
      chosen.turn();
    } finally {
      taking = before;
    }
    clock.moveTo(clock.nanoTime() + TURN_NS);
    runDue();
    hash.add(clock.elapsedNs());
    hash.endStep();
    return true;
  }

  private int collectReady() {
    int count = 0;
    for (int i = 0; i < participants.size(); i++) {
      Participant participant = participants.get(i);
      if (participant.isReady()) {
        if (count == ready.length) {
          ready = java.util.Arrays.copyOf(ready, 2 * count);
        }
        ready[count++] = participant;
      }
    }
    return count;
  }

  private void runDue() {
    while (timed.runOne(clock.nanoTime())) {
      hash.add(1);
    }
  }

  private long nextNs() {
    long nextNs = timed.nextNs();
    for (int i = 0; i < participants.size(); i++) {
      nextNs = Math.min(nextNs, participants.get(i).nextNs());
    }
    return nextNs;
  }

  /**
   * Gives turns until a condition holds.
   *
   * @param limitNs on the clock
   * @return false if nothing is left to do before the limit and it does not hold
   */
  public boolean runUntil(BooleanSupplier condition, long limitNs) {
    while (!condition.getAsBoolean()) {
      if (clock.nanoTime() >= limitNs || !turn(limitNs)) {
        return condition.getAsBoolean();
      }
    }
    return true;
  }

  /**
   * Gives turns until nobody has anything to do, now or later.
   *
   * @param limitNs on the clock
   * @return false if there still is something at the limit
   */
  public boolean runUntilQuiet(long limitNs) {
    long lastTurn = turns + MOST_TURNS;
    while (clock.nanoTime() < limitNs && turns < lastTurn) {
      if (!turn(limitNs)) {
        return nextNs() == Long.MAX_VALUE;
      }
    }
    return false;
  }

  /** Time passes although somebody is ready. */
  public void jump(long durationNs) {
    clock.moveTo(clock.nanoTime() + durationNs);
    runDue();
  }

  /** Gives turns for a time; then the clock shows its end, or a little more. */
  public void advance(long durationNs) {
    long endNs = clock.nanoTime() + durationNs;
    while (clock.nanoTime() < endNs && turn(endNs)) {}
    clock.moveTo(endNs);
    runDue();
  }
}
