package io.tagfabric.fuzz;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.provider.Channel;
import io.tagfabric.provider.Provider;
import io.tagfabric.provider.ProviderCapabilities;
import io.tagfabric.provider.Wire;
import io.tagfabric.provider.WireContext;
import java.util.Optional;
import java.util.function.Supplier;

/** A provider with its own name and reach, and somebody between it and the endpoints. */
final class FuzzProvider implements Provider {
  private final Provider provider;
  private final Supplier<Hook> hooks;

  /**
   * @param hooks one for each wire
   */
  FuzzProvider(Provider provider, Supplier<Hook> hooks) {
    this.provider = provider;
    this.hooks = hooks;
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
  public Optional<String> unavailableBecause(WireContext context) {
    return provider.unavailableBecause(context);
  }

  @Override
  public Wire open(WireContext context) {
    Hook hook = hooks.get();
    Wire wire = provider.open(hook.opening(context));
    hook.opened(wire);
    return new HookedWire(wire, hook);
  }

  private record HookedWire(Wire wire, Hook hook) implements Wire {
    @Override
    public String address() {
      return wire.address();
    }

    @Override
    public Optional<String> unreachableBecause(EndpointAddress peer) {
      return wire.unreachableBecause(peer);
    }

    @Override
    public Channel connect(EndpointAddress peer) {
      return hook.connected(peer, wire.connect(peer));
    }

    @Override
    public int paths(EndpointAddress peer) {
      return wire.paths(peer);
    }

    @Override
    public Channel connect(EndpointAddress peer, int path) {
      return hook.connected(peer, wire.connect(peer, path));
    }

    @Override
    public int flush() {
      hook.flushing();
      return wire.flush();
    }

    @Override
    public void close() {
      hook.closed();
      wire.close();
    }
  }
}
