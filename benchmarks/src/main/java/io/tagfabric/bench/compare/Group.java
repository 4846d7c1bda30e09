package io.tagfabric.bench.compare;

import io.tagfabric.bench.measure.Cell;
import io.tagfabric.bench.measure.Metric;
import io.tagfabric.bench.measure.Workload;
import java.util.List;

/**
 * Contenders whose runs take turns: in every round all of ours, then all peers.
 *
 * @param ours series of ours
 * @param peers each compared with each of ours
 * @param rateWindow messages under way where the rate is measured and the workload leaves it open:
 *     as many as the way is long
 */
record Group(List<Contender> ours, List<Contender> peers, int rateWindow) {
  /** Enough where a message is there at once. */
  static final int SAME_HOST_WINDOW = 64;

  /** Enough where packets and acknowledgements travel. */
  static final int NETWORK_WINDOW = 1000;

  /** In a cell: as usual in the group. */
  static final int USUAL_WINDOW = 0;

  Group {
    ours = List.copyOf(ours);
    peers = List.copyOf(peers);
  }

  /** The workload as this group plays it. */
  Workload fitted(Workload workload) {
    return workload.withCells(
        workload.cells().stream()
            .map(
                cell ->
                    cell.metric() == Metric.RATE && cell.window() == USUAL_WINDOW
                        ? new Cell(cell.metric(), cell.size(), rateWindow)
                        : cell)
            .toList());
  }
}
