package io.tagfabric.link;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.cluster.settings.RecordCopy;
import io.tagfabric.flow.window.ActiveSettings;
import io.tagfabric.flow.window.FlowSettings;
import io.tagfabric.memory.MemorySettings;
import java.time.Duration;
import java.util.List;

/**
 * Settings of one endpoint.
 *
 * @param injectBytes longest message whose buffer may be used again when the call returns
 * @param maxMessageBytes longest message
 * @param maxPendingFutures operations posted through futures and not finished
 * @param maxUnexpectedClasses kinds of wildcard that waiting messages are indexed by
 * @param providers provider names in order of preference; the only ones used
 * @param packetBytes longest packet, header included
 * @param askTimeout how long administrative requests to an actor of the domain may take
 * @param flow numbers of the flows
 * @param memory limits of accesses to memory
 * @param active limits of active messages
 */
public record EndpointSettings(
    int injectBytes,
    int maxMessageBytes,
    int maxPendingFutures,
    int maxUnexpectedClasses,
    List<String> providers,
    int packetBytes,
    Duration askTimeout,
    FlowSettings flow,
    MemorySettings memory,
    ActiveSettings active) {
  public EndpointSettings {
    providers = List.copyOf(providers);
    requireFits("flow.eager-limit", flow.sizes().eagerLimitBytes(), packetBytes);
    flow.sizesByProvider()
        .forEach(
            (provider, sizes) ->
                requireFits(
                    "provider." + provider + ".eager-limit", sizes.eagerLimitBytes(), packetBytes));
  }

  private static void requireFits(String key, int eagerLimitBytes, int packetBytes) {
    if (eagerLimitBytes > packetBytes / 2) {
      throw new IllegalArgumentException(
          key
              + "="
              + eagerLimitBytes
              + " > half of endpoint.packet-size="
              + packetBytes
              + ", lower the one or raise the other");
    }
  }

  /** Throws unless a message of so many bytes may be sent. */
  @InternalApi
  public void requireSendable(int lengthBytes) {
    String refusal = refusalToSend(lengthBytes);
    if (refusal != null) {
      throw new IllegalArgumentException(refusal);
    }
  }

  /** Why a message of so many bytes may not be sent; null if it may. */
  @InternalApi
  public String refusalToSend(int lengthBytes) {
    return refusal(lengthBytes, "maxMessageBytes", maxMessageBytes, "raise ", "max-message-size");
  }

  /** Throws unless a message of so many bytes may be injected. */
  @InternalApi
  public void requireInjectable(int lengthBytes) {
    if (lengthBytes > injectBytes) {
      throw new IllegalArgumentException(
          refusal(
              lengthBytes, "injectBytes", injectBytes, "use sendTagged or raise ", "inject-size"));
    }
  }

  private static String refusal(
      int lengthBytes, String limit, int limitBytes, String cure, String key) {
    return lengthBytes <= limitBytes
        ? null
        : "lengthBytes="
            + lengthBytes
            + " > "
            + limit
            + "="
            + limitBytes
            + ", "
            + cure
            + "tagfabric.endpoint."
            + key;
  }

  /** The same with other providers. */
  public EndpointSettings withProviders(List<String> names) {
    return RecordCopy.with(this, "providers", names);
  }

  /** The same with other limits of accesses to memory. */
  public EndpointSettings withMemory(MemorySettings newMemory) {
    return RecordCopy.with(this, "memory", newMemory);
  }

  /** The same with other limits of active messages. */
  public EndpointSettings withActive(ActiveSettings newActive) {
    return RecordCopy.with(this, "active", newActive);
  }

  /** The same with other flow numbers. */
  public EndpointSettings withFlow(FlowSettings newFlow) {
    return RecordCopy.with(this, "flow", newFlow);
  }
}
