/**
 * Receives of one endpoint, or of several that share a {@link io.tagfabric.receive.ReceiveContext}:
 * the calls that post them, the ways into the matcher, and where they end.
 *
 * <p>May import {@code link}, {@code kryo}, {@code match.core} and what these use.
 *
 * @source libfabric fi_tagged(3), fi_msg(3), fi_srx_context
 */
package io.tagfabric.receive;
