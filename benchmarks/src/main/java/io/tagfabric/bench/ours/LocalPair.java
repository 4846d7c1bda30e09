package io.tagfabric.bench.ours;

import akka.actor.typed.ActorSystem;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.progress.ProgressSettings;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Two endpoints in this JVM, in an ActorSystem of their own. With one thread both are in one domain
 * and one progress loop moves everything; with two threads each has its domain, so every message
 * changes threads.
 */
final class LocalPair implements AutoCloseable {
  private static final int USUAL_DEPTH = 4096;
  private final ActorSystem<Void> system;
  private final Domain first;
  private final Domain second;
  private final FabricEnd near;
  private final FabricEnd far;
  private final EndpointAddress farAddress;

  /**
   * Opens the pair.
   *
   * @param threads 1 or 2
   */
  LocalPair(ProgressMode mode, int threads) {
    this(mode, threads, USUAL_DEPTH, domain -> Buffers.HEAP);
  }

  /**
   * Opens the pair.
   *
   * @param depth operations that wait at one end at the same time
   * @param buffers where the ends of a domain keep their messages
   */
  LocalPair(ProgressMode mode, int threads, int depth, Function<Domain, Buffers> buffers) {
    this(defaults -> defaults.withMode(mode), threads, depth, buffers);
  }

  /** As the options say. */
  LocalPair(BenchOptions options, int threads) {
    this(options, threads, USUAL_DEPTH);
  }

  /** The same with another depth. */
  LocalPair(BenchOptions options, int threads, int depth) {
    this(options::progress, threads, depth, options::buffers);
  }

  private LocalPair(
      UnaryOperator<ProgressSettings> progress,
      int threads,
      int depth,
      Function<Domain, Buffers> buffers) {
    system = LocalSystem.start("tagfabric-bench", Depths.config(depth));
    Fabric fabric = Fabric.get(system);
    ProgressSettings chosen = progress.apply(fabric.progressDefaults());
    first = fabric.openDomain("near", chosen);
    second = threads == 1 ? first : fabric.openDomain("far", chosen);
    Endpoint a = first.openEndpoint("near");
    Endpoint b = second.openEndpoint("far");
    farAddress = b.address();
    int peerOfA = first.addressVector().insert(farAddress);
    int peerOfB = second.addressVector().insert(a.address());
    FabricEnd.Waiting waiting =
        chosen.mode() == ProgressMode.MANUAL
            ? FabricEnd.Waiting.POLLING
            : FabricEnd.Waiting.BLOCKING;
    near = new FabricEnd(a, peerOfA, waiting, buffers.apply(first));
    far = new FabricEnd(b, peerOfB, waiting, buffers.apply(second));
  }

  /** The domain of the near end. */
  Domain domain() {
    return first;
  }

  /** Where the far end is. */
  EndpointAddress farAddress() {
    return farAddress;
  }

  /** The end that begins. */
  FabricEnd near() {
    return near;
  }

  /** The end that answers. */
  FabricEnd far() {
    return far;
  }

  @Override
  public void close() {
    first.close();
    second.close();
    LocalSystem.end(system);
  }
}
