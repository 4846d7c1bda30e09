package io.tagfabric.bench.measure;

import java.util.Arrays;

/** How evenly something is shared. */
public final class Fairness {
  private Fairness() {}

  /**
   * Jain's index: 1 if all have the same, 1/n if one of n has all.
   *
   * @param parts what each has, 0 or more; if nobody has anything, that is even
   * @source R. Jain, D.-M. Chiu, W. Hawe: A Quantitative Measure of Fairness and Discrimination for
   *     Resource Allocation in Shared Computer Systems, DEC-TR-301, 1984, section 2
   */
  public static double jain(double... parts) {
    double sum = Arrays.stream(parts).sum();
    double squares = Arrays.stream(parts).map(part -> part * part).sum();
    return squares == 0 ? 1 : sum * sum / (parts.length * squares);
  }
}
