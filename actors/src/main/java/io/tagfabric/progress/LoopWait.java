package io.tagfabric.progress;

import java.util.function.BooleanSupplier;
import java.util.function.IntUnaryOperator;

/** How a thread waits for something while it drives the loop: it spins, yields, then sleeps. */
final class LoopWait {
  /**
   * A spinning waiter looks so often before it asks the clock and lets others have the loop. One
   * that yields does so between two yields, when the first has brought nothing: all threads that
   * share its core have had their turn then, and most likely wait for another core too.
   */
  private static final int LOOKS_PER_IDLE_PASS = 16;

  /**
   * The longest sleep of a wait that has not entered the loop yet: the thread that has the loop
   * does not always see such a wait.
   */
  private static final long NOT_ENTERED_NS = 1_000_000L;

  private final ProgressLoop loop;
  private final LoopSleepers sleepers;
  private final LoopOwner owner;
  private final SoleThread sole;
  private final SpinBudget spinBudget = new SpinBudget();

  /** Null if threads stay where they are. */
  private volatile CoreMove move;

  /**
   * Waits of a loop.
   *
   * @param owner null if each thread may drive
   * @param sole null unless one thread has the loop for itself
   */
  LoopWait(ProgressLoop loop, LoopSleepers sleepers, LoopOwner owner, SoleThread sole) {
    this.loop = loop;
    this.sleepers = sleepers;
    this.owner = owner;
    this.sole = sole;
  }

  /** As {@link ProgressLoop#moveWaiters}. */
  void moveWaiters(BooleanSupplier mover, IntUnaryOperator random) {
    move = new CoreMove(mover, random);
  }

  /** As {@link ProgressLoop#await}. Thread: any. */
  boolean await(BooleanSupplier condition, long deadlineNs, IdlePolicy idle) {
    return owner == null
        ? driveUntil(condition, deadlineNs, idle)
        : besideOwner(condition, deadlineNs, idle);
  }

  private boolean driveUntil(BooleanSupplier condition, long deadlineNs, IdlePolicy idle) {
    if (sole != null && sole.isHeldByCaller()) {
      return driveAloneUntil(condition, deadlineNs, idle);
    }
    sleepers.enterWait();
    try {
      return until(condition, deadlineNs, idle);
    } finally {
      sleepers.leaveWait();
    }
  }

  private boolean driveAloneUntil(BooleanSupplier condition, long deadlineNs, IdlePolicy idle) {
    sleepers.enterWaitAlone();
    try {
      return until(condition, deadlineNs, idle);
    } finally {
      sleepers.leaveWaitAlone();
    }
  }

  /** The owner may come and go meanwhile. */
  private boolean besideOwner(BooleanSupplier condition, long deadlineNs, IdlePolicy idle) {
    Thread self = Thread.currentThread();
    while (true) {
      if (owner.excludes(self)) {
        owner.look(condition, deadlineNs, idle);
      } else {
        driveUntil(() -> condition.getAsBoolean() || owner.excludes(self), deadlineNs, idle);
      }
      if (condition.getAsBoolean()) {
        return true;
      }
      if (self.isInterrupted() || deadlineNs - loop.time().nanoTime() <= 0) {
        return false;
      }
    }
  }

  private boolean until(BooleanSupplier condition, long deadlineNs, IdlePolicy idle) {
    long idleSinceNs = 0;
    long spinNs = spinBudget.next(idle.spinNs());
    boolean idling = false;
    boolean spun = false;
    boolean entered = false;
    int yields = 0;
    int firstLooks = spinNs > 0 ? LOOKS_PER_IDLE_PASS : 0;
    int looks = firstLooks;
    if (loop.takeWokenAnother() && idle.yieldNs() > 0) {
      loop.time().yieldCore();
    }
    while (true) {
      int work = loop.tryAdvance(looks);
      entered |= work != ProgressLoop.NOT_ENTERED;
      if (condition.getAsBoolean()) {
        if (idling && !spun) {
          spinBudget.paid();
        }
        CoreMove moves = move;
        if (moves != null && idle.spinNs() > 0) {
          moves.ended(yields, idleSinceNs);
        }
        return true;
      }
      if (work > 0) {
        idling = false;
        looks = firstLooks;
        continue;
      }
      long nowNs = loop.time().nanoTime();
      if (deadlineNs - nowNs <= 0 || Thread.currentThread().isInterrupted()) {
        return false;
      }
      if (loop.sleptAsHeld(deadlineNs - nowNs)) {
        continue;
      }
      if (!idling) {
        idling = true;
        idleSinceNs = nowNs;
      }
      long idleNs = nowNs - idleSinceNs;
      if (idleNs < spinNs) {
        Thread.onSpinWait();
        continue;
      }
      if (!spun) {
        spun = true;
        spinBudget.wasted(spinNs);
      }
      if (idleNs < spinNs + idle.yieldNs()) {
        looks = LOOKS_PER_IDLE_PASS;
        yields++;
        loop.time().yieldCore();
      } else {
        long longestNs = entered ? idle.maxParkNs() : Math.min(idle.maxParkNs(), NOT_ENTERED_NS);
        long mostNs = Math.min(deadlineNs - nowNs, longestNs);
        if (!sleepers.parkWaiter(condition, mostNs) && loop.isTaken()) {
          loop.parkWhileTaken(Math.min(ProgressLoop.TAKEN_NS, mostNs));
        }
        loop.recorder().slept(nowNs);
      }
    }
  }
}
