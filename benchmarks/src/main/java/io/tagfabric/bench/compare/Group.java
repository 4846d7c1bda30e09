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
 * @param reach how far their transports reach
 */
record Group(List<Contender> ours, List<Contender> peers, Reach reach) {
  /** How far transports reach. */
  enum Reach {
    /** Processes of one host; a message is there at once. */
    ONE_HOST("one-host", "on one host", 64),
    /** Hosts, measured over the loopback of one; packets and acknowledgements travel. */
    BETWEEN_HOSTS("between-hosts", "by transports between hosts, over loopback", 1000),
    /** The same, measured between two network namespaces. */
    NAMESPACES("namespaces", "by transports between hosts, between network namespaces", 1000);

    private final String word;
    private final String phrase;
    private final int rateWindow;

    Reach(String word, String phrase, int rateWindow) {
      this.word = word;
      this.phrase = phrase;
      this.rateWindow = rateWindow;
    }

    /** In names of files. */
    String word() {
      return word;
    }

    /** In titles. */
    String phrase() {
      return phrase;
    }

    /** Messages under way where the rate is measured and the workload leaves it open. */
    int rateWindow() {
      return rateWindow;
    }
  }

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
                        ? new Cell(cell.metric(), cell.size(), reach.rateWindow())
                        : cell)
            .toList());
  }
}
