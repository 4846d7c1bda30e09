package io.tagfabric.provider;

import io.tagfabric.cluster.settings.Settings;
import java.util.Optional;

/**
 * A way for frames to travel. Stateless; one instance for the JVM.
 *
 * @source libfabric fi_provider(7)
 */
public interface Provider {
  /** Lower-case name, as in settings and reports. */
  String name();

  /** What this provider can do. */
  ProviderCapabilities capabilities();

  /** Why this provider cannot serve the given endpoint, empty if it can. */
  Optional<String> unavailableBecause(WireContext context);

  /**
   * Opens this provider for one endpoint. Thread: the domain's loop.
   *
   * @throws ProviderUnavailableException if what it needs cannot be had; another provider may serve
   */
  Wire open(WireContext context);

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
