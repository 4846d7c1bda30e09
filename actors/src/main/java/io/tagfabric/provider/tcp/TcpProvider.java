package io.tagfabric.provider.tcp;

import akka.actor.Address;
import akka.actor.ExtendedActorSystem;
import akka.actor.typed.javadsl.Adapter;
import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.cluster.settings.Setting;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.provider.Interfaces;
import io.tagfabric.provider.Provider;
import io.tagfabric.provider.ProviderCapabilities;
import io.tagfabric.provider.Reach;
import io.tagfabric.provider.Wire;
import io.tagfabric.provider.WireActors;
import io.tagfabric.provider.WireContext;
import io.tagfabric.provider.tcp.record.Records;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.List;
import java.util.Optional;

/** Reaches endpoints by TCP, on this host and on others. */
public final class TcpProvider implements Provider {
  private static final ProviderCapabilities CAPABILITIES =
      new ProviderCapabilities(
          Reach.NETWORK, "hosts that TCP reaches", true, Records.MAX_PACKET_BYTES);

  @Override
  public String name() {
    return TcpAddress.PROVIDER;
  }

  @Override
  public ProviderCapabilities capabilities() {
    return CAPABILITIES;
  }

  @Override
  public Optional<String> unavailableBecause(WireContext context) {
    try {
      TcpSettings settings = settings(context);
      if (settings.toldAddresses().get(0).isAnyLocalAddress()) {
        return Optional.of(
            settings.place()
                + " is no address that peers could dial, set "
                + TcpSettings.CANONICAL_HOST.fullKey());
      }
      InetAddress address = settings.addresses().get(0); // those of interfaces are this host's
      boolean own =
          address.isAnyLocalAddress()
              || address.isLoopbackAddress()
              || NetworkInterface.getByInetAddress(address) != null;
      return own
          ? Optional.empty()
          : Optional.of(
              settings.place()
                  + " is no address of this host, name one of its own, and the one that peers see"
                  + " by "
                  + TcpSettings.CANONICAL_HOST.fullKey());
    } catch (IllegalArgumentException e) {
      return Optional.of(e.getMessage());
    } catch (SocketException e) {
      return Optional.of("the interfaces of this host cannot be listed: " + e.getMessage());
    }
  }

  @Override
  public List<Setting<?>> settings() {
    return TcpSettings.ALL;
  }

  /** As without an ActorSystem: an application's node listens where its remoting does. */
  @Override
  public List<InetAddress> listensAt(Settings settings, Interfaces ofHost) {
    return TcpSettings.of(settings, settings.get(JobSettings.HOST), "").addresses(ofHost);
  }

  @Override
  public Optional<String> misfit(String address, String other) {
    int rails = rails(address);
    int others = rails(other);
    return rails == others
        ? Optional.empty()
        : Optional.of(
            "rails="
                + rails
                + " and "
                + others
                + " of provider tcp, give "
                + TcpSettings.INTERFACES.fullKey()
                + " that match as many interfaces on each host");
  }

  private static int rails(String address) {
    return TcpAddress.parse(address).map(parsed -> parsed.places().size()).orElse(1);
  }

  private static TcpSettings settings(WireContext context) {
    String canonical =
        context
            .actors()
            .flatMap(TcpProvider::remotingHost)
            .orElseGet(() -> context.settings().get(JobSettings.HOST));
    String bound = setting(context, "akka.remote.artery.bind.hostname");
    return TcpSettings.of(
        context.settings(), bound.isBlank() ? canonical : bound, bound.isBlank() ? "" : canonical);
  }

  private static Optional<String> remotingHost(WireActors actors) {
    Address address =
        ((ExtendedActorSystem) Adapter.toClassic(actors.system())).provider().getDefaultAddress();
    return address.getHost();
  }

  /** A setting of Akka's, empty where there is no ActorSystem. */
  private static String setting(WireContext context, String key) {
    return context
        .actors()
        .map(actors -> actors.system().settings().config())
        .filter(config -> config.hasPath(key))
        .map(config -> config.getString(key))
        .orElse("");
  }

  @Override
  public Wire open(WireContext context) {
    TcpNode node = TcpNode.enter(context, settings(context));
    return new TcpWire(node, context.endpoint(), context.listener(), context.paths());
  }
}
