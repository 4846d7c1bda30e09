/**
 * The provider over UDP, to this host and others, with Aeron: {@link
 * io.tagfabric.provider.aeron.AeronProvider} is the entry.
 *
 * <p>Each domain has a media driver of its own, an {@link io.tagfabric.provider.aeron.AeronNode}.
 * It has no thread: the progress loop runs its duty cycle in every pass. An endpoint listens on a
 * stream of its own at the node's one UDP port; a channel to a peer is a publication there.
 *
 * <p>Aeron repairs loss and keeps the order of a stream, but a stream begins anew after a long
 * silence of either side, and what was between is lost without a word. So flows over it keep copies
 * and replay.
 */
@InternalApi
package io.tagfabric.provider.aeron;

import io.tagfabric.annotation.InternalApi;
