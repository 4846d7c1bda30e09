/**
 * Compares this build of Tagfabric with another one, to find what has become slower: {@code bench
 * guard}.
 *
 * <p>Entry: {@link io.tagfabric.bench.guard.GuardCommand}. {@link io.tagfabric.bench.guard.Guard}
 * measures pairs by the command lines of both builds, {@link io.tagfabric.bench.guard.Ratios} has
 * the rule, {@link io.tagfabric.bench.guard.GuardBench} the rows.
 */
package io.tagfabric.bench.guard;
