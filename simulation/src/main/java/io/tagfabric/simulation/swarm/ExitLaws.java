package io.tagfabric.simulation.swarm;

import io.tagfabric.exit.ExitMessage;
import io.tagfabric.exit.ExitPhase;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** What must hold at the end of a job, whatever goes wrong. */
final class ExitLaws {
  private final Map<Long, Integer> leaders = new HashMap<>();
  private final Map<Integer, Long> promised = new HashMap<>();
  private final Map<Integer, Integer> led = new HashMap<>();
  private boolean isExcused;

  /** A rank has sent a message. */
  void sent(ExitRank rank, ExitMessage message) {
    if (message instanceof ExitMessage.ExitRequest request) {
      // Its last time has come before the answers of those that may end by another order.
      isExcused |= rank.protocol.phase() == ExitPhase.PREPARING;
      int orders = rank.protocol.counters().exitRequest();
      if (orders > led.getOrDefault(rank.number, 0)) {
        led.put(rank.number, orders);
        Integer other = leaders.putIfAbsent(request.epoch(), rank.number);
        Violation.require(
            other == null || other == rank.number,
            Invariant.EXIT,
            "epoch %d has the leaders %s and %d",
            request.epoch(),
            other,
            rank.number);
      }
    } else if (message instanceof ExitMessage.Promise promise) {
      promised.merge(rank.number, promise.epoch(), Math::max);
    }
  }

  /** How often a leader other than the first has ordered. */
  int leaders() {
    return leaders.size();
  }

  /** A rank has read an order, and perhaps ends by it. */
  void obeyed(ExitRank rank, boolean wasOver, long before, ExitMessage.ExitRequest order) {
    Violation.require(
        wasOver || !rank.isOver() || order.epoch() >= before,
        Invariant.EXIT,
        "rank %d obeys the order of epoch %d, although it has promised epoch %d",
        rank.number,
        order.epoch(),
        before);
  }

  /** The epoch below which a rank has promised to obey nothing. */
  long promisedBy(ExitRank rank) {
    return promised.getOrDefault(rank.number, Long.MIN_VALUE);
  }

  /**
   * A rank is killed, stops or is cut off. If some rank may end by its order, others may have no
   * way to learn of that.
   */
  void hit(ExitRank rank) {
    isExcused |= rank.matters();
  }

  /** All is over. */
  void requireAgreement(List<ExitRank> ranks, boolean isSlow) {
    Set<Integer> codes = new TreeSet<>();
    for (ExitRank rank : ranks) {
      if (rank.result() == null) {
        continue;
      }
      Violation.require(
          rank.hookRuns() == 1,
          Invariant.EXIT,
          "rank %d has run its hooks %d times",
          rank.number,
          rank.hookRuns());
      if (rank.result().graceful()) {
        codes.add(rank.result().code());
      }
    }
    // What a rank knows that was hit, or that answers too late, the next leader may not learn.
    Violation.require(
        isExcused || isSlow || codes.size() <= 1,
        Invariant.EXIT,
        "ranks have ended in time with the codes %s",
        codes);
  }
}
