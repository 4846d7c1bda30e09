/**
 * Jobs of ranks: what a rank knows about its job, and how a process tells how it ended.
 *
 * <p>Entry: {@link io.tagfabric.cluster.job.JobSpec}. May import {@code cluster.settings}. The
 * launcher writes a spec into a rank's environment, the rank reads it from its settings.
 */
package io.tagfabric.cluster.job;
