package io.tagfabric.explore;

import java.util.List;

/**
 * What exploring a model has found.
 *
 * @param states how many there are
 * @param complete whether these are all that can be reached
 * @param problem what is wrong in the nearest state where something is; empty if nothing is
 * @param trace the shortest way there, a line a step; empty if nothing is wrong
 */
public record Exploration(int states, boolean complete, String problem, List<String> trace) {
  /** Whether all states were looked at and nothing was wrong. */
  public boolean isSound() {
    return complete && problem.isEmpty();
  }

  @Override
  public String toString() {
    String found =
        problem.isEmpty() ? (complete ? "sound" : "nothing found, not all seen") : problem;
    return states
        + " states: "
        + found
        + (trace.isEmpty() ? "" : "\n" + String.join("\n", trace) + "\n");
  }
}
