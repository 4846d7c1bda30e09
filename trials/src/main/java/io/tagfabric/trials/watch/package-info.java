/**
 * {@code watch}: a live page of a running job, or of the run of a seed. {@link
 * io.tagfabric.trials.watch.WatchCommand} is the entry.
 *
 * <p>The page itself is of the package {@code watch}. May import {@code timeline}, {@code
 * trials.simulate} and {@code watch} and what these use.
 */
package io.tagfabric.trials.watch;
