/**
 * {@code watch}: a live page of a running job, or of the run of a seed. {@link
 * io.tagfabric.trials.watch.WatchCommand} is the entry.
 *
 * <p>The page itself is of the package {@code watch}. May import {@code watch}, {@code timeline},
 * {@code trials.simulate}, and what these may import.
 */
package io.tagfabric.trials.watch;
