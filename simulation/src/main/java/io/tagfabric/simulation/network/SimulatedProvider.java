package io.tagfabric.simulation.network;

import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.provider.FabricMemory;
import io.tagfabric.provider.Provider;
import io.tagfabric.provider.ProviderCapabilities;
import io.tagfabric.provider.Reach;
import io.tagfabric.provider.Wire;
import io.tagfabric.provider.WireContext;
import java.util.Optional;

/**
 * Brings a {@link SimulatedNetwork} to the endpoints of one node. A reliable one keeps order, loses
 * nothing, takes short messages by themselves, and lends memory that peers reach, as {@code shm}
 * does; another one is a bad network.
 */
public final class SimulatedProvider implements Provider {
  /** Of every such provider. */
  public static final String NAME = "sim";

  private static final int MAX_PACKET_BYTES = 64 * 1024;

  private final SimulatedNetwork network;
  private final int node;
  private final boolean reliable;

  /** The provider of one node. */
  public SimulatedProvider(SimulatedNetwork network, int node, boolean reliable) {
    this.network = network;
    this.node = node;
    this.reliable = reliable;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public ProviderCapabilities capabilities() {
    return new ProviderCapabilities(
        Reach.NETWORK, "nodes of the simulation", reliable, MAX_PACKET_BYTES);
  }

  @Override
  public Optional<String> unavailableBecause(WireContext context) {
    return Optional.empty();
  }

  @Override
  public Wire open(WireContext context) {
    return new SimulatedWire(network, node, reliable, context);
  }

  @Override
  public Optional<FabricMemory> allocate(Settings settings, int bytes) {
    return reliable ? Optional.of(network.memories().allocate(node, bytes)) : Optional.empty();
  }
}
