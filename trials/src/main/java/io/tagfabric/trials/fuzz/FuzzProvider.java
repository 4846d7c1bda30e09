package io.tagfabric.trials.fuzz;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.provider.Channel;
import io.tagfabric.provider.Provider;
import io.tagfabric.provider.ProviderDecorator;
import io.tagfabric.provider.Wire;
import io.tagfabric.provider.WireContext;
import io.tagfabric.provider.WireDecorator;
import java.util.function.Supplier;

/** A provider with its own name and reach, and somebody between it and the endpoints. */
final class FuzzProvider extends ProviderDecorator {
  private final Supplier<Hook> hooks;

  /**
   * @param hooks one for each wire
   */
  FuzzProvider(Provider provider, Supplier<Hook> hooks) {
    super(provider);
    this.hooks = hooks;
  }

  @Override
  public Wire open(WireContext context) {
    Hook hook = hooks.get();
    Wire wire = provider().open(hook.opening(context));
    hook.opened(wire);
    return new HookedWire(wire, hook);
  }

  private static final class HookedWire extends WireDecorator {
    private final Hook hook;

    HookedWire(Wire wire, Hook hook) {
      super(wire);
      this.hook = hook;
    }

    @Override
    protected Channel around(Channel channel, EndpointAddress peer) {
      return hook.connected(peer, channel);
    }

    @Override
    public boolean gathers() {
      return true;
    }

    @Override
    public int flush() {
      hook.flushing();
      return super.flush();
    }

    @Override
    public void close() {
      hook.closed();
      super.close();
    }
  }
}
