package io.tagfabric.fabric;

import io.tagfabric.address.AddressVector;
import io.tagfabric.complete.Counter;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.endpoint.EndpointAssembly;
import io.tagfabric.error.FabricError;
import io.tagfabric.link.EndpointSettings;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.provider.Provider;
import io.tagfabric.receive.DomainParts;
import io.tagfabric.receive.EndpointBindings;
import io.tagfabric.receive.ReceiveContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The endpoints of one domain, from their opening to their end. Thread: any. */
final class DomainEndpoints {
  private final String domain;
  private final ProgressLoop loop;
  private final int packetBytes;
  private final Set<Endpoint> open = Collections.synchronizedSet(new LinkedHashSet<>());
  private volatile boolean isStuck;

  /**
   * None yet.
   *
   * @param domain its name
   * @param packetBytes of each endpoint, as the domain's packets have so many
   */
  DomainEndpoints(String domain, ProgressLoop loop, int packetBytes) {
    this.domain = domain;
    this.loop = loop;
    this.packetBytes = packetBytes;
  }

  /** Those that are open, those that are closing included. */
  List<Endpoint> all() {
    synchronized (open) {
      return List.copyOf(open);
    }
  }

  boolean has(Endpoint endpoint) {
    return open.contains(endpoint);
  }

  /**
   * Opens one; what it is bound to is bound until it has ended.
   *
   * @param number that no other endpoint of the system has
   * @param onEnd hears of its end, on the loop
   */
  Endpoint open(
      int number,
      String name,
      EndpointBindings bindings,
      EndpointSettings settings,
      DomainParts parts,
      List<Provider> providers,
      Consumer<Endpoint> onEnd) {
    List<Counter> counters =
        Stream.of(bindings.sendCounter(), bindings.receiveCounter(), bindings.accessCounter())
            .filter(Objects::nonNull)
            .toList();
    ReceiveContext context = bindings.receiveContext();
    requireOwn(bindings.transmitQueue().loop(), "completion queue");
    requireOwn(bindings.receiveQueue().loop(), "completion queue");
    counters.forEach(counter -> requireOwn(counter.loop(), "counter"));
    if (context != null) {
      requireOwn(context.loop(), "receive context");
    }
    if (settings.packetBytes() != packetBytes) {
      throw new IllegalArgumentException(
          "packetBytes="
              + settings.packetBytes()
              + " of the endpoint is not packetBytes="
              + packetBytes
              + " of its domain, set tagfabric.endpoint.packet-size");
    }
    List<Runnable> bound = new ArrayList<>();
    Endpoint endpoint;
    try {
      for (Counter counter : counters) {
        counter.bind();
        bound.add(counter::unbind);
      }
      if (context != null) {
        context.bind();
        bound.add(context::unbind);
      }
      endpoint = join(EndpointAssembly.open(parts, number, name, settings, providers, bindings));
    } catch (RuntimeException e) {
      bound.forEach(Runnable::run);
      throw e;
    }
    open.add(endpoint);
    endpoint.onEnd(
        () -> {
          onEnd.accept(endpoint);
          open.remove(endpoint);
          bound.forEach(Runnable::run);
        });
    return endpoint;
  }

  /** Refuses what another domain than this one has made. */
  void requireOwn(ProgressLoop itsLoop, String what) {
    if (itsLoop != loop) {
      throw new IllegalArgumentException(
          FabricError.DOMAIN
              + ": a "
              + what
              + " of another domain than ["
              + domain
              + "], open it in the endpoint's domain");
    }
  }

  static <T> T join(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }

  void onPeerGone(AddressVector.PeerGone gone) {
    for (Endpoint endpoint : all()) {
      if (!endpoint.address().equals(gone.address())) { // it still reaches itself
        endpoint
            .ref()
            .tell(new Endpoint.PeerGone(gone.peer(), FabricError.CONNECTION_RESET, gone.detail()));
      }
    }
  }

  /** Waits until what they have accepted has left. */
  void drain(Duration timeout) {
    List<CompletableFuture<Boolean>> draining = new ArrayList<>();
    for (Endpoint endpoint : all()) {
      draining.add(endpoint.futures().drain(timeout).toCompletableFuture());
    }
    for (CompletableFuture<Boolean> each : draining) {
      isStuck |= !each.handle((drained, failure) -> failure != null || drained).join();
    }
  }

  /** Whether something has not left in the time of a {@link #drain}. */
  boolean isStuck() {
    return isStuck;
  }

  /** Closes all at once, and waits for it. */
  void close(Duration drainTimeout) {
    List<CompletableFuture<Endpoint.Closed>> closing = new ArrayList<>();
    for (Endpoint endpoint : all()) {
      closing.add(endpoint.close(drainTimeout).toCompletableFuture());
    }
    for (CompletableFuture<Endpoint.Closed> each : closing) {
      each.handle((report, failure) -> report).join();
    }
  }
}
