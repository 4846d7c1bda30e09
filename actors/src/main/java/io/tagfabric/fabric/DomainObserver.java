package io.tagfabric.fabric;

import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.fabric.stats.DomainStats;
import io.tagfabric.fabric.stats.FlowTotals;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.receive.ReceiveContext;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** One domain as others see it. Thread: any, unless said otherwise. */
final class DomainObserver implements DomainMXBean {
  private static final Duration PATIENCE = Duration.ofMillis(500);

  private final Fabric fabric;
  private final String id;
  private final ProgressLoop loop;
  private final Supplier<ProgressMode> mode;
  private final Supplier<List<Endpoint>> endpoints;
  private final Supplier<List<ReceiveContext>> contexts;

  /** Of endpoints that have ended; the loop's. */
  private final FlowTotals ended = new FlowTotals();

  private Runnable unregister = () -> {};
  private DomainStats whenClosing = DomainStats.NONE;
  private volatile DomainStats known = DomainStats.NONE;
  private volatile long knownNs;

  /**
   * An observer.
   *
   * @param id of the domain, which no other of the ActorSystem has
   * @param mode what makes progress now
   */
  DomainObserver(
      Fabric fabric,
      String id,
      ProgressLoop loop,
      Supplier<ProgressMode> mode,
      Supplier<List<Endpoint>> endpoints,
      Supplier<List<ReceiveContext>> contexts) {
    this.fabric = fabric;
    this.id = id;
    this.loop = loop;
    this.mode = mode;
    this.endpoints = endpoints;
    this.contexts = contexts;
    knownNs = loop.time().nanoTime();
  }

  /** The domain is open. */
  void begin() {
    // Not where a simulation drives: consoles would come into its order of things.
    if (fabric.settings().get(FabricSettings.MANAGEMENT)
        && fabric.environment().loopDriver().isEmpty()) {
      unregister =
          Management.register(this, fabric.membership().self().incarnation(), fabric.system());
    }
    if (fabric.stats() != null) {
      fabric.stats().opened(this);
    }
  }

  /** The domain closes: its queues are as the program has left them. */
  void closing() {
    unregister.run();
    if (fabric.stats() != null) {
      whenClosing = read();
    }
  }

  /** All its endpoints have ended, its loop still turns. */
  void closed() {
    if (fabric.stats() != null) {
      read();
      fabric.stats().closed(this, whenClosing.withTotals(ended));
    }
  }

  /** An endpoint has ended: what its flows have done is kept. Thread: the loop. */
  void ended(Endpoint endpoint) {
    if (loop.isDriving()) {
      ended.add(endpoint.port().forgottenFlows());
      endpoint.port().inspectFlows(flow -> ended.add(flow.counters().snapshot()));
    }
  }

  /** What there is now, or was when the loop last answered. */
  DomainStats read() {
    if (loop.isDriving()) {
      know();
    } else if (loop.admitsCaller() && loop.tryEnter()) {
      try {
        know();
      } finally {
        if (loop.leave(false)) {
          loop.wake();
        }
      }
    } else {
      CompletableFuture<Void> read = new CompletableFuture<>();
      loop.execute(
          () -> {
            know();
            read.complete(null);
          });
      fabric.environment().threads().await(read, PATIENCE);
    }
    return known;
  }

  private void know() {
    known = DomainStats.of(endpoints.get(), contexts.get(), ended);
    knownNs = loop.time().nanoTime();
  }

  String id() {
    return id;
  }

  @Override
  public String getName() {
    return id;
  }

  @Override
  public int getRank() {
    return fabric.settings().get(JobSettings.RANK);
  }

  @Override
  public String getProgressMode() {
    return mode.get().toString();
  }

  @Override
  public boolean isApplicationWaiting() {
    return loop.hasWaiters();
  }

  @Override
  public long getPostedReceives() {
    return value("posted-receives");
  }

  @Override
  public long getUnexpectedMessages() {
    return value("unexpected-messages");
  }

  @Override
  public long getWaitingSends() {
    return value("waiting-sends");
  }

  private long value(String name) {
    return read().values().getOrDefault(name, 0L);
  }

  @Override
  public Map<String, Long> getValues() {
    return read().values();
  }

  @Override
  public Map<String, Map<String, Long>> getFlows() {
    return read().flows();
  }

  @Override
  public Map<String, String> getProviders() {
    return read().providers();
  }

  @Override
  public long getAgeMillis() {
    return TimeUnit.NANOSECONDS.toMillis(loop.time().nanoTime() - knownNs);
  }
}
