package io.tagfabric.link;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.address.OneLine;
import io.tagfabric.annotation.InternalApi;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.provider.Channel;
import io.tagfabric.provider.Provider;
import io.tagfabric.provider.ProviderUnavailableException;
import io.tagfabric.provider.Wire;
import io.tagfabric.provider.WireContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The wires of one endpoint in order of preference, and the choice among them for a peer. */
@InternalApi
public final class WireTable implements AutoCloseable {
  /**
   * A channel and why it was chosen.
   *
   * @param gathers as {@link Wire#gathers}
   */
  record Choice(Provider provider, Channel channel, boolean gathers, String reason) {}

  private record Entry(Provider provider, Wire wire) {}

  private static final String NOT_OFFERED = "the peer does not offer it";
  private static final String NOT_OPEN = "there is no connection, and the peer has asked otherwise";

  private final List<Entry> entries = new ArrayList<>();
  private final Map<String, String> unavailable = new LinkedHashMap<>();
  private final PathTable paths;
  private Wire[] flushed = {};

  private WireTable(PathTable paths) {
    this.paths = paths;
  }

  /**
   * Opens every provider that can serve the endpoint.
   *
   * @param providers best first
   * @param paths how several ways to a peer become one
   * @throws FabricException HOST_UNREACHABLE if none can, with each provider's reason
   */
  public static WireTable open(List<Provider> providers, WireContext context, PathTable paths) {
    WireTable table = new WireTable(paths);
    try {
      for (Provider provider : providers) {
        Optional<String> reason = provider.unavailableBecause(context);
        if (reason.isPresent()) {
          table.unavailable.put(provider.name(), reason.get());
        } else {
          table.add(provider, context);
        }
      }
    } catch (RuntimeException e) {
      table.close();
      throw e;
    }
    if (table.entries.isEmpty()) {
      throw new FabricException(
          FabricError.HOST_UNREACHABLE, "no provider can serve the endpoint: " + table.unavailable);
    }
    table.flushed =
        table.entries.stream().map(Entry::wire).filter(Wire::gathers).toArray(Wire[]::new);
    return table;
  }

  private void add(Provider provider, WireContext context) {
    try {
      entries.add(new Entry(provider, provider.open(context)));
    } catch (ProviderUnavailableException e) {
      unavailable.put(provider.name(), e.getMessage());
    }
  }

  /** Peers ask the loop for each access to memory. */
  public void closeToDirectAccess() {
    entries.forEach(entry -> entry.wire.closeToDirectAccess());
  }

  /** Provider name to the endpoint's address there, best first. */
  public Map<String, String> addresses() {
    Map<String, String> addresses = new LinkedHashMap<>();
    for (Entry entry : entries) {
      addresses.put(entry.provider.name(), entry.wire.address());
    }
    return addresses;
  }

  /**
   * The first provider that both sides offer and that reaches the peer.
   *
   * @throws FabricException HOST_UNREACHABLE if there is none, with each provider's reason
   */
  Choice connect(EndpointAddress peer) {
    return connect(peer, false);
  }

  /**
   * The same among the ways that are open already, if there is such a one: who answers does not
   * wait for a way to open that the asker may have tried in vain.
   */
  Choice answer(EndpointAddress asker) {
    return connect(asker, true);
  }

  /** Whether a way to an asker is being opened, which then is to be answered when it asks again. */
  boolean prepares(EndpointAddress asker) {
    for (Entry entry : entries) {
      if (asker.providers().containsKey(entry.provider.name()) && entry.wire.prepares(asker)) {
        return true;
      }
    }
    return false;
  }

  /**
   * A way to a peer that is open, and better than the one there is: earlier in the order, or that
   * one is not open. One that accesses the peer's regions is no better than one that is open, since
   * a flow finds out about that when it begins.
   *
   * @return null if there is none
   */
  Choice better(EndpointAddress peer, String provider, Channel channel) {
    Map<String, String> reasons = new LinkedHashMap<>(unavailable);
    for (Entry entry : entries) {
      String name = entry.provider.name();
      boolean present = name.equals(provider);
      if (present && channel.isOpen()) {
        return null;
      }
      Optional<String> reason =
          peer.providers().containsKey(name)
              ? entry.wire.unreachableBecause(peer)
              : Optional.of(NOT_OFFERED);
      if (!present && reason.isEmpty() && entry.wire.isOpen(peer)) {
        Choice choice = choose(entry, peer, reasons);
        boolean waits = choice.channel.directMemory() != null && channel.isOpen();
        return waits ? null : choice;
      }
      reasons.put(name, reason.orElse(NOT_OPEN));
    }
    return null;
  }

  private Choice connect(EndpointAddress peer, boolean open) {
    Map<String, String> reasons = new LinkedHashMap<>(unavailable);
    Entry first = null;
    for (Entry entry : entries) {
      String name = entry.provider.name();
      if (!peer.providers().containsKey(name)) {
        reasons.put(name, NOT_OFFERED);
        continue;
      }
      try {
        Optional<String> reason = entry.wire.unreachableBecause(peer);
        if (reason.isEmpty() && (!open || entry.wire.isOpen(peer))) {
          return choose(entry, peer, reasons);
        }
        first = reason.isEmpty() && first == null ? entry : first;
        reasons.put(name, reason.orElse(NOT_OPEN));
      } catch (RuntimeException e) {
        // The address is the peer's word, and a peer may say anything.
        reasons.put(name, "its address is of no use: " + e);
      }
    }
    if (first != null) {
      reasons.remove(first.provider.name());
      return choose(first, peer, reasons);
    }
    throw new FabricException(
        FabricError.HOST_UNREACHABLE,
        "no provider reaches " + peer + ": " + OneLine.of(reasons.toString()));
  }

  private Choice choose(Entry entry, EndpointAddress peer, Map<String, String> reasons) {
    return new Choice(
        entry.provider,
        paths.connect(entry.wire, peer),
        entry.wire.gathers(),
        reasons.isEmpty() ? "it is the first choice" : OneLine.of(listed(reasons)));
  }

  private static String listed(Map<String, String> reasons) {
    return reasons.entrySet().stream()
        .map(each -> "not " + each.getKey() + " (" + each.getValue() + ")")
        .collect(Collectors.joining(", "));
  }

  /** Whether {@link #flush} has something to do in some passes. */
  public boolean gathers() {
    return flushed.length > 0;
  }

  /** End of a pass: sends what the channels have taken. Returns the work done. */
  int flush() {
    int work = 0;
    for (Wire wire : flushed) {
      work += wire.flush();
    }
    return work;
  }

  @Override
  public void close() {
    entries.forEach(entry -> entry.wire.close());
  }
}
