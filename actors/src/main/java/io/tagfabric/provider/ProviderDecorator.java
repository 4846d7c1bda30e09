package io.tagfabric.provider;

import io.tagfabric.cluster.settings.Setting;
import java.util.List;
import java.util.Optional;

/**
 * Another provider's name and reach, with a wire of its own. It lends no {@link FabricMemory}: what
 * peers copy by themselves does not come by its channels.
 */
public abstract class ProviderDecorator implements Provider {
  private final Provider provider;

  protected ProviderDecorator(Provider provider) {
    this.provider = provider;
  }

  /** The provider that is decorated. */
  protected final Provider provider() {
    return provider;
  }

  @Override
  public String name() {
    return provider.name();
  }

  @Override
  public ProviderCapabilities capabilities() {
    return provider.capabilities();
  }

  @Override
  public List<Setting<?>> settings() {
    return provider.settings();
  }

  @Override
  public Optional<String> unavailableBecause(WireContext context) {
    return provider.unavailableBecause(context);
  }
}
