package io.tagfabric.simulation.choice;

import java.util.Arrays;

/**
 * The numbers that decide a run, each recorded. The same numbers give the same run, and 0 is always
 * the plainest choice: no fault, no operation, the first in the list. So a run becomes plainer when
 * numbers of its record are deleted or set to 0, which is how {@link Shrinker} works.
 *
 * <p>Thread: one.
 */
public final class Choices {
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;
  private static final int INITIAL_LENGTH = 1 << 12;
  private static final int PER_MILLE = 1_000;

  private final int[] given;
  private long state;
  private int[] taken = new int[INITIAL_LENGTH];
  private int count;

  private Choices(long seed, int[] given) {
    this.state = seed * GOLDEN;
    this.given = given;
  }

  /** Numbers drawn from a seed. */
  public static Choices of(long seed) {
    return new Choices(seed, null);
  }

  /** Numbers of a record, in order; 0 when it has no more. */
  public static Choices replaying(int[] record) {
    return new Choices(0, record.clone());
  }

  /**
   * One of {@code bound} possibilities, from 0. A recorded number that is too large counts as the
   * last.
   *
   * @param bound at least 1; of one possibility nothing is recorded
   */
  public int below(int bound) {
    if (bound <= 1) {
      return 0;
    }
    return note(
        given == null
            ? (int) (((next() >>> 32) * bound) >>> 32)
            : Math.min(fromRecord(), bound - 1));
  }

  /** Whether something with a probability in thousandths happens. */
  public boolean happens(int perMille) {
    if (perMille <= 0) {
      return false;
    }
    boolean happens =
        given == null ? ((next() >>> 32) * PER_MILLE) >>> 32 < perMille : fromRecord() != 0;
    note(happens ? 1 : 0);
    return happens;
  }

  /** A number from {@code least} to {@code most}; the least is the plainest. */
  public int between(int least, int most) {
    return least + below(most - least + 1);
  }

  /** One of some values; the first is the plainest. */
  public int of(int... values) {
    return values[below(values.length)];
  }

  /** What was drawn so far. */
  public int[] taken() {
    return Arrays.copyOf(taken, count);
  }

  /** How many numbers were drawn so far. */
  public int count() {
    return count;
  }

  private int fromRecord() {
    return count < given.length ? Math.max(0, given[count]) : 0;
  }

  private int note(int choice) {
    if (count == taken.length) {
      taken = Arrays.copyOf(taken, 2 * count);
    }
    taken[count++] = choice;
    return choice;
  }

  /** Steele, Lea and Flood's SplitMix64. */
  private long next() {
    state += GOLDEN;
    long mixed = (state ^ (state >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return mixed ^ (mixed >>> 31);
  }
}
