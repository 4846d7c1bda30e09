/**
 * Which receive takes which message: {@link io.tagfabric.match.MatchTable} pairs them, {@link
 * io.tagfabric.match.ReceiveCore} is the receiving side of an endpoint around it, and {@link
 * io.tagfabric.match.TagMatcher} is the actor around that.
 *
 * <p>Source: libfabric fi_tagged(3), fi_msg(3); MPI-4.1 §3.5.
 */
package io.tagfabric.match;
