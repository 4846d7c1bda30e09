package io.tagfabric.progress;

import java.util.function.BooleanSupplier;
import java.util.function.IntUnaryOperator;

/**
 * Moves a waiting thread to another core when the thread that answers shares its own: what it waits
 * for comes then with the first yields, never while it spins. A scheduler may leave two such
 * threads together for tens of milliseconds while another core is idle, since each of them has just
 * run.
 *
 * <p>Only waits that follow one another closely count. Where a message comes now and then, the two
 * are best together: to wake a core that sleeps takes several times as long as to change threads.
 *
 * <p>Both threads see the same, so how many waits it takes is left to chance: if both moved they
 * would meet again. Moves that do not help, as no other core is free, become rare. Threads that
 * wait on one loop share this; what one of them overwrites is only advice.
 */
final class CoreMove {
  /** Waits in a row that yields have ended, before it moves. */
  static final int LEAST_WAITS = 4;

  /** So many more at most, by chance. */
  static final int CHANCE = 16;

  /** A wait that takes more yields is for something that takes its time. */
  static final int MOST_YIELDS = 3;

  /** Time from the beginning of one wait to that of the next, at most, if both are to count. */
  static final long CLOSE_NS = 500_000L;

  /** Waits in a row without a yield that show that a move has helped. */
  static final int WAITS_OF_PEACE = 16;

  /** Time between two moves, doubled when one has not helped. */
  static final long LEAST_PAUSE_NS = 100_000L;

  static final long MOST_PAUSE_NS = 50_000_000L;

  private final BooleanSupplier mover;
  private final IntUnaryOperator random;
  private int waits;
  private int waitsNeeded;
  private long lastNs;
  private long movedNs;
  private long pauseNs = LEAST_PAUSE_NS;
  private int peace;

  /** Whether it has moved, and that has not helped yet. */
  private boolean hasMoved;

  private boolean over;

  /**
   * Nothing has moved yet.
   *
   * @param mover moves the calling thread; false if that can never be done here
   * @param random a number from 0 to below its argument
   */
  CoreMove(BooleanSupplier mover, IntUnaryOperator random) {
    this.mover = mover;
    this.random = random;
    waitsNeeded = LEAST_WAITS + random.applyAsInt(CHANCE);
  }

  /**
   * A wait has ended with what it waited for, after it has spun in vain or before.
   *
   * @param yields how often it has given its core away
   * @param nowNs about now, of meaning only if it has
   */
  void ended(int yields, long nowNs) {
    if (yields == 0) {
      waits = 0;
      peace++;
      if (peace == WAITS_OF_PEACE) {
        pauseNs = LEAST_PAUSE_NS;
        hasMoved = false;
      }
      return;
    }
    peace = 0;
    if (nowNs - lastNs > CLOSE_NS) {
      waits = 0;
    }
    lastNs = nowNs;
    waits = yields > MOST_YIELDS ? 0 : waits + 1;
    if (waits >= waitsNeeded && !over) {
      waits = 0;
      waitsNeeded = LEAST_WAITS + random.applyAsInt(CHANCE);
      moveUnlessTooSoon(nowNs);
    }
  }

  private void moveUnlessTooSoon(long nowNs) {
    if (hasMoved && nowNs - movedNs < pauseNs) {
      return;
    }
    if (hasMoved) {
      pauseNs = Math.min(2 * pauseNs, MOST_PAUSE_NS);
    }
    hasMoved = true;
    movedNs = nowNs;
    over = !mover.getAsBoolean();
  }
}
