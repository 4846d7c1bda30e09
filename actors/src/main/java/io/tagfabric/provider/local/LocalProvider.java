package io.tagfabric.provider.local;

import io.tagfabric.provider.Provider;
import io.tagfabric.provider.ProviderCapabilities;
import io.tagfabric.provider.Reach;
import io.tagfabric.provider.Wire;
import io.tagfabric.provider.WireContext;
import java.util.Optional;

/** Reaches endpoints of the same JVM, also those of other ActorSystems in it. */
public final class LocalProvider implements Provider {
  private static final int MAX_PACKET_BYTES = 64 * 1024;
  private static final ProviderCapabilities CAPABILITIES =
      new ProviderCapabilities(Reach.JVM, "same JVM", true, MAX_PACKET_BYTES);

  @Override
  public String name() {
    return "local";
  }

  @Override
  public ProviderCapabilities capabilities() {
    return CAPABILITIES;
  }

  @Override
  public Optional<String> unavailableBecause(WireContext context) {
    return Optional.empty();
  }

  @Override
  public Wire open(WireContext context) {
    return new LocalWire(context);
  }
}
