/**
 * What is measured and how, whatever moves the messages: the patterns of exchange, the warm-up, the
 * repetition, and the orders by which one end of a pair tells the other what comes next.
 *
 * <p>Entry: {@link io.tagfabric.bench.measure.Trial}. A peer needs an {@link
 * io.tagfabric.bench.measure.End} of its own and gets everything else from here, so all are
 * measured by the same code. May import {@code report}. Source: fabtests benchmarks (ping-pong,
 * bandwidth with a window).
 */
package io.tagfabric.bench.measure;
