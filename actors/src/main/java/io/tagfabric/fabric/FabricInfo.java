package io.tagfabric.fabric;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.flow.window.PeerLink;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.provider.Provider;
import io.tagfabric.provider.ProviderCapabilities;
import io.tagfabric.provider.Reach;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What endpoints over one provider can do. Sizes are in bytes. Immutable.
 *
 * @param provider its name
 * @param reaches which peers, for people
 * @param kind of endpoint
 * @param capabilities those asked for, and those that are had without asking; all if none were
 * @param progressModes that domains offer
 * @param progress the mode that the settings name
 * @param maxMessageBytes longest message
 * @param injectBytes longest message whose buffer is free when the call returns
 * @param dataBytes of immediate data
 * @param tagBits that a tag may have
 * @param queueSize of a completion queue, unless told otherwise
 * @param maxPacketBytes longest packet
 * @param reliable whether channels lose nothing, so that flows keep no copies
 * @param preference place in {@code tagfabric.provider.use} from 1, 0 if it is not in it
 * @source libfabric fi_getinfo(3), fi_info
 */
public record FabricInfo(
    String provider,
    String reaches,
    EndpointKind kind,
    Set<Capability> capabilities,
    Set<ProgressMode> progressModes,
    ProgressMode progress,
    long maxMessageBytes,
    long injectBytes,
    int dataBytes,
    int tagBits,
    int queueSize,
    int maxPacketBytes,
    boolean reliable,
    int preference) {

  /**
   * Those that fit, best first: in the order of {@code tagfabric.provider.use}, then the others.
   *
   * @return empty if none does
   */
  @InternalApi
  public static List<FabricInfo> find(
      Settings settings, Collection<Provider> providers, FabricHints hints) {
    List<String> order = settings.get(FabricSettings.PROVIDERS);
    List<FabricInfo> fitting = new ArrayList<>();
    for (Provider provider : providers) {
      for (EndpointKind kind : EndpointKind.values()) {
        FabricInfo info = of(settings, provider, kind, order.indexOf(provider.name()) + 1, hints);
        if (info.fits(hints, provider)) {
          fitting.add(info);
        }
      }
    }
    fitting.sort(
        Comparator.comparingInt(
                (FabricInfo info) -> info.preference == 0 ? Integer.MAX_VALUE : info.preference)
            .thenComparing(FabricInfo::provider));
    return fitting;
  }

  private static FabricInfo of(
      Settings settings, Provider provider, EndpointKind kind, int preference, FabricHints hints) {
    ProviderCapabilities can = provider.capabilities();
    return new FabricInfo(
        provider.name(),
        can.reaches(),
        kind,
        granted(Capability.of(kind, reachesOthers(provider)), hints.capabilities()),
        EnumSet.allOf(ProgressMode.class),
        settings.get(FabricSettings.PROGRESS_MODE),
        maxMessage(settings, kind, can),
        settings.get(FabricSettings.INJECT_SIZE),
        Long.BYTES,
        Long.SIZE,
        settings.get(FabricSettings.QUEUE_SIZE),
        can.maxPacketBytes(),
        can.reliable(),
        preference);
  }

  private static long maxMessage(Settings settings, EndpointKind kind, ProviderCapabilities can) {
    long most = settings.get(FabricSettings.MAX_MESSAGE_SIZE);
    return kind == EndpointKind.DGRAM
        ? Math.min(
            most,
            PeerLink.mostDatagramBytes(
                settings.get(FabricSettings.PACKET_SIZE).intValue(), can.maxPacketBytes()))
        : most;
  }

  private static boolean reachesOthers(Provider provider) {
    return provider.capabilities().reach() != Reach.JVM;
  }

  /** What somebody gets who wants these: no primary capability unasked. */
  private static Set<Capability> granted(Set<Capability> had, Set<Capability> wanted) {
    if (wanted.isEmpty()) {
      return had;
    }
    boolean modified = wanted.stream().anyMatch(each -> each.rank() == Capability.Rank.MODIFIER);
    Set<Capability> granted = EnumSet.noneOf(Capability.class);
    for (Capability each : had) {
      boolean unasked =
          switch (each.rank()) {
            case PRIMARY -> false;
            case MODIFIER -> !modified;
            case SECONDARY -> true;
          };
      if (unasked || wanted.contains(each)) {
        granted.add(each);
      }
    }
    return granted;
  }

  private boolean fits(FabricHints hints, Provider from) {
    Set<Capability> had = Capability.of(kind, reachesOthers(from));
    return !had.isEmpty()
        && had.containsAll(hints.capabilities())
        && hints.kind().map(wanted -> wanted == kind).orElse(true)
        && hints.provider().map(provider::equals).orElse(true)
        && hints.progress().map(progressModes::contains).orElse(true)
        && hints.messageBytes() <= maxMessageBytes
        && hints.injectBytes() <= injectBytes;
  }
}
