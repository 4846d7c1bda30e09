package io.tagfabric.simulation.network;

import io.tagfabric.provider.Provider;
import io.tagfabric.provider.ProviderCapabilities;
import io.tagfabric.provider.Reach;
import io.tagfabric.provider.Wire;
import io.tagfabric.provider.WireContext;
import java.util.Optional;

/** Brings {@link Dials} to the endpoints of one node, which has {@link SimulatedProvider} too. */
public final class DialledProvider implements Provider {
  /** Of every such provider. */
  public static final String NAME = "dialled";

  private static final int MAX_PACKET_BYTES = 64 * 1024;

  private final Dials dials;
  private final int node;

  /** The provider of one node. */
  public DialledProvider(Dials dials, int node) {
    this.dials = dials;
    this.node = node;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public ProviderCapabilities capabilities() {
    return new ProviderCapabilities(
        Reach.NETWORK, "nodes of the simulation that are dialled", true, MAX_PACKET_BYTES);
  }

  @Override
  public Optional<String> unavailableBecause(WireContext context) {
    return Optional.empty();
  }

  @Override
  public Wire open(WireContext context) {
    return new DialledWire(dials, node, context);
  }
}
