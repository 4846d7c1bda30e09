package io.tagfabric.bench.guard;

import java.util.List;

/**
 * Times of this build divided by those of the other, pair by pair: above 1 this build is slower.
 *
 * @param ofPairs one of each pair, in the order they were measured
 */
record Ratios(List<Double> ofPairs) {
  /** A median up to this is no slowdown. */
  static final double LIMIT = 1.03;

  private static final int TENTHS = 9;

  /**
   * @throws IllegalArgumentException if there are none, or one is not above 0
   */
  Ratios {
    ofPairs = List.copyOf(ofPairs);
    if (ofPairs.isEmpty() || ofPairs.stream().anyMatch(ratio -> !(ratio > 0))) {
      throw new IllegalArgumentException("ratios=" + ofPairs + " must be some, all greater than 0");
    }
  }

  /**
   * Whether this build is slower: by the median, by more than a build differs from itself, and in
   * nine of ten pairs.
   *
   * @param largestOfItself the largest median of pairs of the same build
   */
  boolean areSlower(double largestOfItself) {
    return median() > LIMIT && median() > largestOfItself && 10 * above() >= TENTHS * count();
  }

  /**
   * Whether further ratios cannot make this build slower: too many are not above 1.
   *
   * @param planned how many there will be with these
   */
  boolean areFine(int planned) {
    return 10 * (planned - count() + above()) < TENTHS * planned;
  }

  /**
   * Whether the median cannot rise above {@link #LIMIT} by further ratios: more than half of those
   * planned are not above it.
   *
   * @param planned how many there will be with these
   */
  boolean arePlain(int planned) {
    return 2 * ofPairs.stream().filter(ratio -> ratio <= LIMIT).count() > planned;
  }

  /** Pairs. */
  int count() {
    return ofPairs.size();
  }

  /** Pairs in which this build took longer. */
  int above() {
    return (int) ofPairs.stream().filter(ratio -> ratio > 1).count();
  }

  double min() {
    return ofPairs.stream().mapToDouble(ratio -> ratio).min().orElseThrow();
  }

  double median() {
    return median(ofPairs);
  }

  double max() {
    return ofPairs.stream().mapToDouble(ratio -> ratio).max().orElseThrow();
  }

  /** The middle value, or the mean of the two in the middle. */
  static double median(List<Double> values) {
    double[] sorted = values.stream().mapToDouble(value -> value).sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
