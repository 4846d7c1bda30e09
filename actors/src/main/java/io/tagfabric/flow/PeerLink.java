package io.tagfabric.flow;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.provider.Channel;

/**
 * The way from one endpoint to a peer.
 *
 * @param address the peer's
 * @param provider name of the provider that carries it
 * @param channel its end here
 * @param reliable whether the channel loses nothing
 */
public record PeerLink(
    EndpointAddress address, String provider, Channel channel, boolean reliable) {
  /** Packets that may come before one that is missing. */
  int parkedPackets(FlowSettings settings) {
    // All that may be in flight on other paths, or what one report of missing packets is for.
    return channel.reorders()
        ? Math.max(settings.windowPackets(), settings.replayPackets())
        : settings.replayPackets();
  }
}
