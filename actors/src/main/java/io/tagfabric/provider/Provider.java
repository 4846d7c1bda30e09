package io.tagfabric.provider;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.cluster.settings.Setting;
import io.tagfabric.cluster.settings.Settings;
import java.net.InetAddress;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * A way for frames to travel. Stateless; one instance for the JVM.
 *
 * @source libfabric fi_provider(7)
 */
public interface Provider {
  /**
   * New instances of those on the class path, by reach, then by name. Thread: any.
   *
   * @throws java.util.ServiceConfigurationError if one cannot be made
   */
  static List<Provider> installed() {
    return ServiceLoader.load(Provider.class, Provider.class.getClassLoader()).stream()
        .map(ServiceLoader.Provider::get)
        .sorted(
            Comparator.comparing((Provider provider) -> provider.capabilities().reach())
                .thenComparing(Provider::name))
        .toList();
  }

  /** Lower-case name, as in settings and reports. */
  String name();

  /** What this provider can do. */
  ProviderCapabilities capabilities();

  /**
   * The settings of this provider alone, in the order of {@code reference.conf}. The four size
   * classes below {@code provider.NAME} are not among them: every provider has these.
   */
  default List<Setting<?>> settings() {
    return List.of();
  }

  /** Why this provider cannot serve the given endpoint, empty if it can. */
  Optional<String> unavailableBecause(WireContext context);

  /**
   * Opens this provider for one endpoint. Thread: the domain's loop.
   *
   * @throws ProviderUnavailableException if what it needs cannot be had; another provider may serve
   */
  Wire open(WireContext context);

  /**
   * The addresses of a host at which it listens with these settings, a rail each; empty for a
   * provider that does not listen at interfaces.
   *
   * @throws IllegalArgumentException if the settings select none, or one that is not there
   */
  @InternalApi
  default List<InetAddress> listensAt(Settings settings, Interfaces ofHost) {
    return List.of();
  }

  /**
   * What keeps two ranks with these addresses of this provider from being in one job, empty if
   * nothing does.
   */
  default Optional<String> misfit(String address, String other) {
    return Optional.empty();
  }

  /**
   * Memory that this provider's peers can reach; empty if there is no such thing. Thread: any.
   *
   * @param settings those below {@code tagfabric}
   * @throws ProviderUnavailableException if there is no room for it, saying how much it takes
   */
  default Optional<FabricMemory> allocate(Settings settings, int bytes) {
    return Optional.empty();
  }
}
