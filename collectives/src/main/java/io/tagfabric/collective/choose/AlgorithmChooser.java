package io.tagfabric.collective.choose;

import io.tagfabric.collective.algorithm.Algorithm;
import io.tagfabric.collective.algorithm.Algorithms;
import io.tagfabric.collective.algorithm.Collective;
import java.util.Map;

/**
 * Chooses an algorithm for a call, from what is equal at all members, so that all choose the same.
 * A forced algorithm always wins. Immutable.
 */
public final class AlgorithmChooser {
  private final Map<Collective, String> forced;
  private final DecisionTable table;

  /** By the standard table. */
  public AlgorithmChooser(Map<Collective, String> forced) {
    this(forced, DecisionTable.STANDARD);
  }

  /** By another table. */
  public AlgorithmChooser(Map<Collective, String> forced, DecisionTable table) {
    this.forced = Map.copyOf(forced);
    this.table = table;
  }

  /**
   * The algorithm for a call.
   *
   * @param bytes of the call, -1 if not all members know
   * @param ordered whether contributions must be combined in rank order
   * @param irregular whether blocks may have different lengths
   * @throws IllegalArgumentException if the forced algorithm cannot do it
   */
  public Algorithm choose(
      Collective collective, int size, long bytes, boolean ordered, boolean irregular) {
    String name = forced.get(collective);
    if (name == null) {
      return table.choose(
          collective, size, bytes, algorithm -> canDo(algorithm, ordered, irregular));
    }
    Algorithm algorithm = Algorithms.get(collective, name);
    if (!canDo(algorithm, ordered, irregular)) {
      throw new IllegalArgumentException(
          "algorithm=["
              + name
              + "] of "
              + collective.key()
              + (ordered && !algorithm.keepsOrder()
                  ? " does not keep rank order, but the operator is not commutative"
                  : " cannot do blocks of different lengths")
              + ", force another one or none");
    }
    return algorithm;
  }

  private static boolean canDo(Algorithm algorithm, boolean ordered, boolean irregular) {
    return (!ordered || algorithm.keepsOrder()) && (!irregular || algorithm.irregular());
  }
}
