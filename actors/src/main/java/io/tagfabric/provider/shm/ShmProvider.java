package io.tagfabric.provider.shm;

import io.tagfabric.cluster.settings.Setting;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.provider.FabricMemory;
import io.tagfabric.provider.Provider;
import io.tagfabric.provider.ProviderCapabilities;
import io.tagfabric.provider.Reach;
import io.tagfabric.provider.Wire;
import io.tagfabric.provider.WireContext;
import java.nio.file.FileSystems;
import java.util.List;
import java.util.Optional;

/** Reaches endpoints of other JVMs of the same user on the same host, by memory they share. */
public final class ShmProvider implements Provider {
  private static final ProviderCapabilities CAPABILITIES =
      new ProviderCapabilities(Reach.HOST, "same host", true, ShmSettings.MAX_PACKET_BYTES);

  @Override
  public String name() {
    return ShmSettings.NAME;
  }

  @Override
  public ProviderCapabilities capabilities() {
    return CAPABILITIES;
  }

  @Override
  public List<Setting<?>> settings() {
    return ShmSettings.ALL;
  }

  @Override
  public Optional<String> unavailableBecause(WireContext context) {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
        ? Optional.empty()
        : Optional.of("this system has no file permissions that keep other users out");
  }

  @Override
  public Wire open(WireContext context) {
    ShmDomain domain =
        ShmDomain.enter(
            context.loop(),
            context.incarnation(),
            context.proofs(),
            context.random(),
            context.settings());
    return new ShmWire(domain, context.endpoint(), context.listener());
  }

  @Override
  public Optional<FabricMemory> allocate(Settings settings, int bytes) {
    return Optional.of(ShmMemory.allocate(settings, bytes));
  }
}
