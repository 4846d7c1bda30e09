package io.tagfabric.flow.window;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.annotation.InternalApi;
import io.tagfabric.provider.Channel;
import io.tagfabric.wire.PacketLayout;

/**
 * The way from one endpoint to a peer.
 *
 * @param address the peer's
 * @param provider name of the provider that carries it
 * @param because for people: why that one, and none that is preferred to it
 * @param channel its end here
 * @param reliable whether the channel loses nothing, and nothing overtakes anything on it
 * @param gathers whether what the channel has taken leaves only when its wire is flushed
 * @param maxPacketBytes longest packet that the channel takes, header included
 */
@InternalApi
public record PeerLink(
    EndpointAddress address,
    String provider,
    String because,
    Channel channel,
    boolean reliable,
    boolean gathers,
    int maxPacketBytes) {
  /** Bytes of the longest datagram, if packets have so many at most. */
  public int mostDatagramBytes(int packetBytes) {
    return mostDatagramBytes(packetBytes, maxPacketBytes);
  }

  /** The same over a provider whose packets have so many bytes at most. */
  public static int mostDatagramBytes(int packetBytes, int maxPacketBytes) {
    int frames = Math.min(packetBytes, maxPacketBytes) - PacketLayout.PACKET_HEADER_LENGTH;
    return frames / PacketLayout.ALIGNMENT * PacketLayout.ALIGNMENT - PacketLayout.EAGER_OVERHEAD;
  }

  /** Packets that may come before one that is missing. */
  public int parkedPackets(FlowSettings settings) {
    // All that may be in flight on other paths, or what one report of missing packets is for.
    return channel.reorders()
        ? Math.max(settings.windowPackets(), settings.replayPackets())
        : settings.replayPackets();
  }
}
