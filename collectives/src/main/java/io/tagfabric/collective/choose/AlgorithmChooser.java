package io.tagfabric.collective.choose;

import io.tagfabric.collective.algorithm.Algorithm;
import io.tagfabric.collective.algorithm.Algorithms;
import io.tagfabric.collective.algorithm.Collective;
import io.tagfabric.collective.algorithm.Hosts;
import io.tagfabric.collective.algorithm.TwoLevel;
import java.util.Map;

/**
 * Chooses an algorithm for a call of a team, from what is equal at all members, so that all choose
 * the same. A forced algorithm always wins. In two levels, the algorithm between hosts is the one
 * for a team of as many members as there are hosts. Thread: any.
 */
public final class AlgorithmChooser {
  private final Map<Collective, String> forced;
  private final DecisionTable table;
  private final Hosts hosts;

  /** A team mostly makes calls like the one before. Any thread may put its own there. */
  private Choice last;

  private record Choice(
      Collective collective, long bytes, boolean ordered, boolean irregular, Algorithm algorithm) {
    boolean isOf(Collective itsCollective, long itsBytes, boolean isOrdered, boolean isIrregular) {
      return collective == itsCollective
          && bytes == itsBytes
          && ordered == isOrdered
          && irregular == isIrregular;
    }
  }

  /** By a table, for a team on hosts. */
  public AlgorithmChooser(Map<Collective, String> forced, DecisionTable table, Hosts hosts) {
    this.forced = Map.copyOf(forced);
    this.table = table;
    this.hosts = hosts;
  }

  /**
   * The algorithm for a call.
   *
   * @param bytes of the call, -1 if not all members know
   * @param ordered whether contributions must be combined in rank order
   * @param irregular whether blocks may have different lengths
   * @throws IllegalArgumentException if the forced algorithm cannot do it
   */
  public Algorithm choose(Collective collective, long bytes, boolean ordered, boolean irregular) {
    Choice before = last;
    if (before != null && before.isOf(collective, bytes, ordered, irregular)) {
      return before.algorithm;
    }
    Algorithm chosen = chooseAnew(collective, bytes, ordered, irregular);
    last = new Choice(collective, bytes, ordered, irregular, chosen);
    return chosen;
  }

  private Algorithm chooseAnew(
      Collective collective, long bytes, boolean ordered, boolean irregular) {
    String name = forced.get(collective);
    if (name == null) {
      Algorithm chosen =
          table.choose(collective, hosts, bytes, algorithm -> canDo(algorithm, ordered, irregular));
      return complete(chosen, bytes, ordered);
    }
    Algorithm algorithm = Algorithms.get(collective, name);
    if (!canDo(algorithm, ordered, irregular)) {
      throw new IllegalArgumentException(
          "algorithm=["
              + name
              + "] of "
              + collective.key()
              + (ordered && !keepsOrder(algorithm)
                  ? " does not keep rank order, but the operator is not commutative"
                  : " cannot do blocks of different lengths")
              + ", force another one or none");
    }
    return complete(algorithm, bytes, ordered);
  }

  private Algorithm complete(Algorithm chosen, long bytes, boolean ordered) {
    if (!(chosen instanceof TwoLevel twoLevel)) {
      return chosen;
    }
    Algorithm between =
        table.choose(
            chosen.collective(),
            Hosts.apart(hosts.count()),
            bytes,
            algorithm -> canDo(algorithm, ordered, false));
    return twoLevel.on(hosts, between);
  }

  private boolean canDo(Algorithm algorithm, boolean ordered, boolean irregular) {
    return (!ordered || keepsOrder(algorithm)) && (!irregular || algorithm.irregular());
  }

  private boolean keepsOrder(Algorithm algorithm) {
    return algorithm instanceof TwoLevel ? hosts.areIntervals() : algorithm.keepsOrder();
  }
}
