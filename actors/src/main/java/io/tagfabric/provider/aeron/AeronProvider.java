package io.tagfabric.provider.aeron;

import io.aeron.protocol.DataHeaderFlyweight;
import io.tagfabric.cluster.settings.Setting;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.provider.Interfaces;
import io.tagfabric.provider.PlainText;
import io.tagfabric.provider.Provider;
import io.tagfabric.provider.ProviderCapabilities;
import io.tagfabric.provider.Reach;
import io.tagfabric.provider.Wire;
import io.tagfabric.provider.WireContext;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.List;
import java.util.Optional;

/** Reaches endpoints by UDP, on this host and on others. */
public final class AeronProvider implements Provider {
  /** What one datagram carries where the network takes the longest: a longer one costs two. */
  private static final int MAX_PACKET_BYTES = Mtu.LARGEST - DataHeaderFlyweight.HEADER_LENGTH;

  private static final ProviderCapabilities CAPABILITIES =
      new ProviderCapabilities(Reach.NETWORK, "hosts that UDP reaches", false, MAX_PACKET_BYTES);

  @Override
  public String name() {
    return "aeron";
  }

  @Override
  public ProviderCapabilities capabilities() {
    return CAPABILITIES;
  }

  @Override
  public List<InetAddress> listensAt(Settings settings, Interfaces ofHost) {
    return List.of(AeronSettings.of(settings).address(ofHost));
  }

  @Override
  public List<Setting<?>> settings() {
    return AeronSettings.ALL;
  }

  @Override
  public Optional<String> unavailableBecause(WireContext context) {
    Optional<String> refused = PlainText.refusedBecause(context);
    if (refused.isPresent()) {
      return refused;
    }
    AeronSettings settings = AeronSettings.of(context.settings());
    try {
      InetAddress address = settings.address();
      if (address.isAnyLocalAddress()) {
        return Optional.of(settings.place() + " is no address that peers could reach, name one");
      }
      return NetworkInterface.getByInetAddress(address) == null && !address.isLoopbackAddress()
          ? Optional.of(settings.place() + " is no address of this host, name one of its own")
          : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.of(e.getMessage());
    } catch (SocketException e) {
      return Optional.of(settings.place() + " is unknown, name an address of this host");
    }
  }

  @Override
  public Wire open(WireContext context) {
    Settings settings = context.settings();
    return new AeronWire(context, AeronSettings.of(settings), settings);
  }
}
