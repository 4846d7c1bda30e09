package io.tagfabric.provider.faults;

import io.tagfabric.provider.Provider;
import io.tagfabric.provider.ProviderCapabilities;
import io.tagfabric.provider.ProviderDecorator;
import io.tagfabric.provider.Wire;
import io.tagfabric.provider.WireContext;

/**
 * A provider whose packets go by {@link Links}. It keeps its name and its reach, but is not
 * reliable any more, so flows keep copies and replay.
 */
public final class LinkedProvider extends ProviderDecorator {
  private final Links links;

  public LinkedProvider(Provider provider, Links links) {
    super(provider);
    this.links = links;
  }

  @Override
  public ProviderCapabilities capabilities() {
    return super.capabilities().unreliable();
  }

  @Override
  public Wire open(WireContext context) {
    return new LinkedWire(provider().open(context), context, links);
  }
}
