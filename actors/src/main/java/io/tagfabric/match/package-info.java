/**
 * Which receive takes which message: {@link io.tagfabric.match.MatchTable}.
 *
 * <p>May import {@code io.tagfabric.tag}. Source: libfabric fi_tagged(3), fi_msg(3); MPI-4.1 §3.5.
 */
package io.tagfabric.match;
