package io.tagfabric.provider.faults;

import io.tagfabric.provider.Provider;
import io.tagfabric.provider.ProviderCapabilities;
import io.tagfabric.provider.ProviderDecorator;
import io.tagfabric.provider.Wire;
import io.tagfabric.provider.WireContext;

/**
 * A provider as if its network were bad. It keeps its name and its reach, but is not reliable any
 * more, so flows keep copies and replay.
 *
 * @source PSM3 fault injection (PSM3_FI)
 */
public final class FaultyProvider extends ProviderDecorator {
  private final FaultSettings faults;

  private FaultyProvider(Provider provider, FaultSettings faults) {
    super(provider);
    this.faults = faults;
  }

  /** The provider with these faults; the provider itself if there are none. */
  public static Provider decorate(Provider provider, FaultSettings faults) {
    return faults.areOn() ? new FaultyProvider(provider, faults) : provider;
  }

  @Override
  public ProviderCapabilities capabilities() {
    return super.capabilities().unreliable();
  }

  @Override
  public Wire open(WireContext context) {
    return new FaultyWire(provider().open(context), context.loop(), faults, context.endpoint());
  }
}
