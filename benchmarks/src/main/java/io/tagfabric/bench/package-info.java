/**
 * Measures latency and message rate: within one JVM over the provider local, or between two ranks
 * over Artery, there also beside plain Akka in runs that alternate with ours.
 *
 * <p>Entry: {@link io.tagfabric.bench.BenchCommand}, the command {@code tagfabric bench}. What is
 * measured is a {@link io.tagfabric.bench.Subject}; {@link io.tagfabric.bench.Runs} warms it up and
 * repeats it. Source: fabtests benchmarks (ping-pong, bandwidth with a window).
 */
package io.tagfabric.bench;
