/**
 * How operations end: {@link io.tagfabric.complete.Completion} for programs, {@link
 * io.tagfabric.complete.CompletionRing} for the way there without allocation.
 *
 * <p>Source: libfabric fi_cq(3).
 */
package io.tagfabric.complete;
