package io.tagfabric.bench.ours;

import akka.actor.typed.ActorSystem;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.complete.CompletionEntry;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.link.Posted;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.receive.EndpointBindings;
import io.tagfabric.receive.ReceiveBindings;
import io.tagfabric.receive.ReceiveContext;
import io.tagfabric.tag.TagSelector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What many peers of one endpoint hold whose messages a pool of few receives takes. The peers are
 * endpoints of another domain of this JVM, and are counted apart, before they have a flow; a flow
 * has two ends, and both are here. Each peer sends three messages, all at once.
 */
final class PoolMemory {
  private static final int RECEIVES = 64;
  private static final int BYTES = 1024;
  private static final int MESSAGES = 3;
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final int peers;
  private final BiConsumer<String, Double> rows;

  /**
   * A measurement.
   *
   * @param rows takes what was measured, and bytes
   */
  PoolMemory(int peers, BiConsumer<String, Double> rows) {
    this.peers = peers;
    this.rows = rows;
  }

  void measure() {
    ActorSystem<Void> system = LocalSystem.start("tagfabric-bench", ConfigFactory.empty());
    try {
      Fabric fabric = Fabric.get(system);
      Domain server = fabric.openDomain("server", ProgressMode.MANUAL);
      Domain clients = fabric.openDomain("clients", ProgressMode.MANUAL);
      measure(server, clients);
      clients.close(Duration.ZERO);
      server.close(Duration.ZERO);
    } finally {
      LocalSystem.end(system);
    }
  }

  private void measure(Domain server, Domain clients) {
    CompletionQueue sends = clients.openCompletionQueue(4);
    CompletionQueue unused = clients.openCompletionQueue(4);
    EndpointBindings bindings = EndpointBindings.to(sends, unused);
    List<Endpoint> senders = new ArrayList<>();
    for (int i = 0; i < peers; i++) {
      senders.add(clients.openEndpoint("client-" + i, bindings));
    }
    MemoryUse before = MemoryUse.now();
    ReceiveContext pool =
        server.openReceiveContext(
            "pool",
            ReceiveBindings.to(server.openCompletionQueue(2 * RECEIVES)),
            server.endpointDefaults());
    Endpoint endpoint =
        server.openEndpoint("server", EndpointBindings.to(server.openCompletionQueue(4), pool));
    for (int i = 0; i < RECEIVES; i++) {
      post(pool, new UnsafeBuffer(new byte[BYTES]));
    }
    MemoryUse opened = MemoryUse.now();
    int peer = clients.addressVector().insert(endpoint.address());
    for (Endpoint sender : senders) {
      for (int m = 0; m < MESSAGES; m++) {
        sender.futures().sendTagged(peer, new byte[BYTES], 1);
      }
    }
    take(server, clients, pool, (long) MESSAGES * peers);
    MemoryUse after = MemoryUse.now();
    rows.accept(
        "heap of a pool of " + RECEIVES + " receives", (double) opened.since(before).heap());
    rows.accept("heap of " + peers + " flows, both ends", (double) after.since(opened).heap());
    rows.accept("heap per peer, one end", after.since(opened).heap() / 2.0 / peers);
    rows.accept("direct of all", (double) after.since(before).direct());
  }

  private static void post(ReceiveContext pool, UnsafeBuffer buffer) {
    if (pool.postReceive(buffer, 0, BYTES, 1, 0, TagSelector.ANY_SOURCE, buffer)
        == Posted.TRY_AGAIN) {
      throw new IllegalStateException("no slot for a receive of the pool");
    }
  }

  private static void take(Domain server, Domain clients, ReceiveContext pool, long messages) {
    long[] taken = {0};
    boolean all =
        server.await(
            () -> {
              clients.loop().advance();
              pool.receiveQueue()
                  .read(
                      entry -> {
                        require(entry);
                        taken[0]++;
                        post(pool, (UnsafeBuffer) entry.context());
                      },
                      RECEIVES);
              return taken[0] == messages;
            },
            PATIENCE);
    if (!all) {
      throw new IllegalStateException("received=" + taken[0] + " of " + messages);
    }
  }

  private static void require(CompletionEntry entry) {
    if (entry.kind() != CompletionEntry.Kind.RECEIVED || entry.length() != BYTES) {
      throw new IllegalStateException("a receive of the pool ended with " + entry.toCompletion());
    }
  }
}
