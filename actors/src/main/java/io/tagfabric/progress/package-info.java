/**
 * The progress engine of a domain: {@link io.tagfabric.progress.ProgressLoop} is the executor
 * behind the domain's dispatcher, {@link io.tagfabric.progress.ProgressThread} the actor that
 * drives it in AUTO mode, {@link io.tagfabric.progress.GuardedMailbox} the mailbox of the domain's
 * actors.
 *
 * <p>{@code ProgressLoop}, {@code LoopTimers}, {@code IdlePolicy} and {@code TimeSource} are plain
 * Java and never import Akka. Source: architecture of libfabric's FI_PROGRESS_AUTO and
 * FI_PROGRESS_MANUAL, fi_domain(3).
 */
package io.tagfabric.progress;
