/**
 * One file an algorithm: a pure function from the shape of a call to a rank's {@link
 * io.tagfabric.collective.schedule.Schedule}. {@link io.tagfabric.collective.algorithm.Algorithms}
 * lists them. No algorithm looks at thresholds; choosing is done elsewhere.
 *
 * <p>In the notes p is the number of ranks, n the elements of a rank's vector or block, and lg the
 * logarithm to base 2. Steps are counted for ranks that begin together, where a message takes one
 * step and a rank may send and receive at the same time.
 */
package io.tagfabric.collective.algorithm;
