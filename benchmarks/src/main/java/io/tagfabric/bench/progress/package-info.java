/**
 * The command {@code tagfabric progress}: what each way to make progress costs and brings, measured
 * side by side. {@link io.tagfabric.bench.progress.ProgressCommand}.
 */
package io.tagfabric.bench.progress;
