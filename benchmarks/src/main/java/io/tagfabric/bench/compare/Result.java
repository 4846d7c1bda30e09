package io.tagfabric.bench.compare;

import io.tagfabric.bench.compare.Group.Reach;
import io.tagfabric.bench.measure.Cell;
import io.tagfabric.report.Comparison;
import java.util.DoubleSummaryStatistics;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;

/**
 * One of ours beside one peer at one cell.
 *
 * @param reach how far their transports reach
 * @param ourValue median of our runs, not a number if there is none
 * @param theirValue median of the peer's runs, not a number if there is none
 * @param comparison empty if there is none
 * @param runs pairs that were compared
 * @param stolenPct the most that the host gave to other guests during one of them, in hundredths of
 *     the processors' time, if known
 * @param spans least and greatest of the values compared
 * @param tails means and 99th percentiles of both
 * @param distances from core to core beside the runs of both
 * @param leftOutBecause why there is none, empty if there is one
 */
record Result(
    Reach reach,
    Cell cell,
    Contender ours,
    Contender peer,
    double ourValue,
    double theirValue,
    Optional<Comparison> comparison,
    int runs,
    OptionalDouble stolenPct,
    Spans spans,
    Tails tails,
    Distances distances,
    String leftOutBecause) {
  /**
   * Between what the rounds were.
   *
   * @param ourLeast of ours
   * @param ourGreatest of ours
   * @param theirLeast of the peer
   * @param theirGreatest of the peer
   */
  record Spans(double ourLeast, double ourGreatest, double theirLeast, double theirGreatest) {
    static final Spans NONE = new Spans(Double.NaN, Double.NaN, Double.NaN, Double.NaN);

    static Spans of(double[] ours, double[] theirs) {
      DoubleSummaryStatistics our = DoubleStream.of(ours).summaryStatistics();
      DoubleSummaryStatistics their = DoubleStream.of(theirs).summaryStatistics();
      return new Spans(our.getMin(), our.getMax(), their.getMin(), their.getMax());
    }
  }

  /**
   * What medians do not say, in microseconds; each a median of the runs, 0 where there is none.
   *
   * @param ourMean of ours
   * @param ourP99 of ours
   * @param theirMean of the peer
   * @param theirP99 of the peer
   */
  record Tails(double ourMean, double ourP99, double theirMean, double theirP99) {
    static final Tails NONE = new Tails(0, 0, 0, 0);
  }

  /**
   * How far the cores were from one another, measured before and after each run of the group.
   *
   * @param ours beside runs of ours
   * @param theirs beside runs of the peer
   */
  record Distances(CoreToCore.Spread ours, CoreToCore.Spread theirs) {
    static final Distances UNKNOWN = new Distances(CoreToCore.Spread.NONE, CoreToCore.Spread.NONE);
  }
}
