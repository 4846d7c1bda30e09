/**
 * The provider over Akka remoting: reaches any node that Artery reaches, over Aeron UDP, TCP or
 * TLS. {@link io.tagfabric.provider.artery.ArteryProvider} is the entry.
 *
 * <p>One packet is one Artery message with a hand-laid serializer; Kryo and reflection never see
 * it. Artery drops messages when a queue overflows, so flows over it keep copies and replay.
 */
@InternalApi
package io.tagfabric.provider.artery;

import io.tagfabric.annotation.InternalApi;
