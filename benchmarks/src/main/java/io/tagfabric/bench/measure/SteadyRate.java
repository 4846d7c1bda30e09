package io.tagfabric.bench.measure;

import java.util.ArrayList;
import java.util.List;

/**
 * Says when many processes are warm: when the best of their last rounds is no better than the best
 * of those before. All rounds take the same time, and each has a rate. Disturbances lower a rate
 * and never raise it, so the best one counts.
 */
public final class SteadyRate {
  private static final int ROUNDS = 6;
  private static final double TOLERANCE = 0.05;

  private final List<Double> rates = new ArrayList<>();

  /** Takes note of a round. */
  public void add(double rate) {
    rates.add(rate);
  }

  /** Whether rounds have stopped to get better. */
  public boolean isSteady() {
    int end = rates.size();
    return end >= 2 * ROUNDS
        && best(end - ROUNDS, end) <= best(end - 2 * ROUNDS, end - ROUNDS) * (1 + TOLERANCE);
  }

  private double best(int from, int to) {
    return rates.subList(from, to).stream().mapToDouble(rate -> rate).max().orElseThrow();
  }
}
