package io.tagfabric.simulation.choice;

import java.util.Arrays;

/**
 * What a run has done, as one number after each step, so that two runs of one seed can be compared
 * and the first step that differs be named.
 *
 * @source TigerBeetle, hash log
 */
public final class TraceHash {
  private static final long PRIME = 0x100000001B3L;

  private long hash = 0xCBF29CE484222325L;
  private long[] steps = new long[1 << 10];
  private int count;

  /** Adds a number to the present step. */
  public void add(long what) {
    hash = (hash ^ what) * PRIME;
    hash ^= hash >>> 29;
  }

  /** Ends a step. */
  public void endStep() {
    if (count == steps.length) {
      steps = Arrays.copyOf(steps, 2 * count);
    }
    steps[count++] = hash;
  }

  /** Everything so far. */
  public long hash() {
    return hash;
  }

  /** Steps so far. */
  public int count() {
    return count;
  }

  /** The first step after which two runs differ; -1 if they do not. */
  public static int firstDifference(TraceHash one, TraceHash other) {
    int common = Math.min(one.count, other.count);
    int first = Arrays.mismatch(one.steps, 0, common, other.steps, 0, common);
    if (first >= 0) {
      return first;
    }
    return one.count == other.count && one.hash == other.hash ? -1 : common;
  }
}
