/**
 * Compares Tagfabric with its peers: the same work by each in turn, several rounds, and the ratios.
 *
 * <p>Entry: {@link io.tagfabric.bench.compare.CompareCommand}. A {@link
 * io.tagfabric.bench.compare.Contender} is a pair of processes that plays a workload, ours or a
 * peer's; {@link io.tagfabric.bench.compare.Contenders} knows all of them.
 */
package io.tagfabric.bench.compare;
