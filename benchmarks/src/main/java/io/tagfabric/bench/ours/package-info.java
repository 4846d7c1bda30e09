/**
 * Tagfabric as it is measured: within one JVM over the provider local, or between two ranks over
 * any other; plain Akka between the same two ranks.
 *
 * <p>Entry: {@link io.tagfabric.bench.ours.MessageBench}; {@link io.tagfabric.bench.ours.RankMain}
 * is the program of the ranks. Uses the public API only.
 */
package io.tagfabric.bench.ours;
