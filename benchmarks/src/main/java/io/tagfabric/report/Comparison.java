package io.tagfabric.report;

import java.util.Arrays;

/**
 * Runs of ours beside runs of a peer that alternated with them, in one unit. A ratio is ours
 * divided by theirs of the pair of runs that stood side by side, so what slowed both cancels out.
 *
 * @param peer the one measured beside us
 * @param unit of both values
 * @param ours median of our runs
 * @param theirs median of the peer's runs
 */
public record Comparison(
    String peer,
    String unit,
    double ours,
    double theirs,
    double ratioMin,
    double ratioMedian,
    double ratioMax) {

  /**
   * Compares runs in the order they were made.
   *
   * @throws IllegalArgumentException if there are none, not as many of both, or one is not above 0
   */
  public static Comparison of(String peer, String unit, double[] ours, double[] theirs) {
    if (ours.length == 0 || ours.length != theirs.length) {
      throw new IllegalArgumentException(
          "ours=" + ours.length + " runs, theirs=" + theirs.length + " runs, alternate them");
    }
    double[] ratios = new double[ours.length];
    for (int i = 0; i < ratios.length; i++) {
      if (!(ours[i] > 0 && theirs[i] > 0)) {
        throw new IllegalArgumentException(
            "run " + i + ": ours=" + ours[i] + " theirs=" + theirs[i] + " must be greater than 0");
      }
      ratios[i] = ours[i] / theirs[i];
    }
    Arrays.sort(ratios);
    return new Comparison(
        peer,
        unit,
        median(ours),
        median(theirs),
        ratios[0],
        median(ratios),
        ratios[ratios.length - 1]);
  }

  /** The middle value, or the mean of the two in the middle. */
  static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
