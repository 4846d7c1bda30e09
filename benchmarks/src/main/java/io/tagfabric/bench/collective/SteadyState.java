package io.tagfabric.bench.collective;

/**
 * Says when a warm-up may end: rounds go on until several in a row have brought nothing more, or
 * there have been enough.
 */
final class SteadyState {
  private static final int VAIN_ROUNDS = 3;
  private static final int MOST_ROUNDS = 20;
  private static final double GAIN = 0.95;

  private long bestNs = Long.MAX_VALUE;
  private int vain;
  private int rounds;

  /** Notes a round's median; true if no other round is needed. */
  boolean isReachedWith(long medianNs) {
    rounds++;
    vain = medianNs < GAIN * bestNs ? 0 : vain + 1;
    bestNs = Math.min(bestNs, medianNs);
    return vain == VAIN_ROUNDS || rounds == MOST_ROUNDS;
  }
}
