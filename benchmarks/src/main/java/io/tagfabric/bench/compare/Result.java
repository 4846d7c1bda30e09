package io.tagfabric.bench.compare;

import io.tagfabric.bench.measure.Cell;
import io.tagfabric.cluster.report.Comparison;
import java.util.Optional;

/**
 * One of ours beside one peer at one cell.
 *
 * @param ourValue median of our runs, not a number if there is none
 * @param theirValue median of the peer's runs, not a number if there is none
 * @param comparison empty if there is none
 * @param leftOutBecause why there is none, empty if there is one
 */
record Result(
    Cell cell,
    Contender ours,
    Contender peer,
    double ourValue,
    double theirValue,
    Optional<Comparison> comparison,
    int runs,
    String leftOutBecause) {}
