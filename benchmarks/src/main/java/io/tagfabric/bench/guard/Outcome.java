package io.tagfabric.bench.guard;

/**
 * What became of a row.
 *
 * @param pairs with the other build, the last that were measured; null if there are none
 * @param itself ratios of this build beside itself; null if there are none
 * @param because why there is no comparison; empty if there is one
 */
record Outcome(
    GuardBench bench, GuardRow row, Verdict verdict, Pairs pairs, Ratios itself, String because) {}
