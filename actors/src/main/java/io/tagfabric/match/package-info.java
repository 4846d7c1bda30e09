/**
 * Which receive takes which message: what a program describes ({@link
 * io.tagfabric.match.TaggedReceive}, {@link io.tagfabric.match.Probe}) and what it tells the
 * endpoint's {@link io.tagfabric.match.TagMatcher}.
 *
 * <p>May import {@code match.table}, {@code complete}, {@code error}, {@code tag} and {@code wire}.
 *
 * @source libfabric fi_tagged(3), fi_msg(3); MPI-4.1 §3.5
 */
package io.tagfabric.match;
