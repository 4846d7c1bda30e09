package io.tagfabric.simulation.choice;

import java.util.Arrays;
import java.util.function.Predicate;

/**
 * Makes the record of a failed run shorter and plainer: parts are deleted, then set to 0, then
 * single numbers are lowered, as long as the run still fails in the same way.
 *
 * @source Hypothesis, internal reduction (MacIver and Donaldson 2020)
 */
public final class Shrinker {
  private final Predicate<int[]> fails;
  private final int runLimit;
  private int runs;

  /**
   * A shrinker.
   *
   * @param fails whether a run with a record still fails in the same way
   * @param runLimit tries at most so many runs
   */
  public Shrinker(Predicate<int[]> fails, int runLimit) {
    this.fails = fails;
    this.runLimit = runLimit;
  }

  /** The plainest record found that still fails; the given one if none does. */
  public int[] shrink(int[] record) {
    int[] best = withoutZeros(record);
    int before;
    do {
      before = weight(best);
      best = delete(best);
      best = zero(best);
      best = withoutZeros(lower(best));
    } while (weight(best) < before && runs < runLimit);
    return best;
  }

  /** How many runs it took. */
  public int runs() {
    return runs;
  }

  private boolean stillFails(int[] candidate) {
    if (runs >= runLimit) {
      return false;
    }
    runs++;
    return fails.test(candidate);
  }

  /** Zeros at the end say nothing. */
  private static int[] withoutZeros(int[] record) {
    int length = record.length;
    while (length > 0 && record[length - 1] == 0) {
      length--;
    }
    return Arrays.copyOf(record, length);
  }

  private int[] delete(int[] record) {
    int[] best = record;
    for (int size = Math.max(1, best.length / 2); size >= 1; size /= 2) {
      for (int at = best.length - size; at >= 0; at -= size) {
        if (at + size > best.length) {
          continue;
        }
        int[] shorter = new int[best.length - size];
        System.arraycopy(best, 0, shorter, 0, at);
        System.arraycopy(best, at + size, shorter, at, best.length - at - size);
        if (stillFails(shorter)) {
          best = shorter;
        }
      }
    }
    return best;
  }

  private int[] zero(int[] record) {
    int[] best = record;
    for (int size = Math.max(1, best.length / 2); size >= 1; size /= 2) {
      for (int at = 0; at < best.length; at += size) {
        int end = Math.min(best.length, at + size);
        if (isZero(best, at, end)) {
          continue;
        }
        int[] plainer = best.clone();
        Arrays.fill(plainer, at, end, 0);
        if (stillFails(plainer)) {
          best = plainer;
        }
      }
    }
    return best;
  }

  private int[] lower(int[] record) {
    int[] best = record;
    for (int at = 0; at < best.length; at++) {
      for (int value = best[at] / 2; best[at] > 1 && value >= 1; value /= 2) {
        int[] plainer = best.clone();
        plainer[at] = value;
        if (!stillFails(plainer)) {
          break;
        }
        best = plainer;
      }
    }
    return best;
  }

  private static boolean isZero(int[] record, int from, int to) {
    for (int at = from; at < to; at++) {
      if (record[at] != 0) {
        return false;
      }
    }
    return true;
  }

  private static int weight(int[] record) {
    int others = 0;
    for (int number : record) {
      others += number == 0 ? 0 : 1 + Integer.bitCount(Integer.highestOneBit(number) * 2 - 1);
    }
    return record.length + others;
  }
}
