package io.tagfabric.provider.artery;

import akka.actor.ExtendedActorSystem;
import akka.actor.typed.javadsl.Adapter;
import io.tagfabric.provider.Provider;
import io.tagfabric.provider.ProviderCapabilities;
import io.tagfabric.provider.Reach;
import io.tagfabric.provider.Wire;
import io.tagfabric.provider.WireContext;
import java.util.Optional;

/** Reaches endpoints of every ActorSystem that remoting reaches. */
public final class ArteryProvider implements Provider {
  private static final int MAX_PACKET_BYTES = 64 * 1024;
  private static final ProviderCapabilities CAPABILITIES =
      new ProviderCapabilities(Reach.REMOTING, "any Akka node", false, MAX_PACKET_BYTES);

  @Override
  public String name() {
    return "artery";
  }

  @Override
  public ProviderCapabilities capabilities() {
    return CAPABILITIES;
  }

  @Override
  public Optional<String> unavailableBecause(WireContext context) {
    if (context.actors().isEmpty()) {
      return Optional.of("there is no ActorSystem, which has the connections");
    }
    ExtendedActorSystem system =
        (ExtendedActorSystem) Adapter.toClassic(context.actors().get().system());
    if (system.provider().getDefaultAddress().hasLocalScope()) {
      return Optional.of(
          "akka.actor.provider=local has no remoting, set akka.actor.provider=cluster");
    }
    long frameBytes =
        system.settings().config().getBytes("akka.remote.artery.advanced.maximum-frame-size");
    long needed = MAX_PACKET_BYTES + FRAME_OVERHEAD_BYTES;
    if (frameBytes < needed) {
      return Optional.of(
          "akka.remote.artery.advanced.maximum-frame-size="
              + frameBytes
              + " < "
              + needed
              + ", raise it");
    }
    return Optional.empty();
  }

  private static final int FRAME_OVERHEAD_BYTES = 1024;

  @Override
  public Wire open(WireContext context) {
    return new ArteryWire(context);
  }
}
