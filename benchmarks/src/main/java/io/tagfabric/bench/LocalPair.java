package io.tagfabric.bench;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Behaviors;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.progress.ProgressMode;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Two endpoints in this JVM, in an ActorSystem of their own. With one thread both are in one domain
 * and one progress loop moves everything; with two threads each has its domain, so every message
 * changes threads.
 */
final class LocalPair implements AutoCloseable {
  private static final long TAG = 7;
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Map<String, Object> CONFIG =
      Map.of(
          "akka.actor.provider", "local",
          "akka.log-dead-letters", 0,
          "akka.loglevel", "WARNING",
          "akka.stdout-loglevel", "WARNING",
          "akka.coordinated-shutdown.exit-jvm", "off",
          "tagfabric.provider.use", "local");

  private final ActorSystem<Void> system;
  private final Domain first;
  private final Domain second;
  private final End near;
  private final End far;

  /**
   * Opens the pair.
   *
   * @param threads 1 or 2
   */
  LocalPair(ProgressMode mode, int threads) {
    Config config = ConfigFactory.parseMap(CONFIG).withFallback(ConfigFactory.load());
    system = ActorSystem.create(Behaviors.empty(), "tagfabric-bench", config);
    Fabric fabric = Fabric.get(system);
    first = fabric.openDomain("near", mode);
    second = threads == 1 ? first : fabric.openDomain("far", mode);
    Endpoint a = first.openEndpoint("near");
    Endpoint b = second.openEndpoint("far");
    int peerOfA = first.addressVector().insert(b.address());
    int peerOfB = second.addressVector().insert(a.address());
    End.Waiting waiting = mode == ProgressMode.MANUAL ? End.Waiting.POLLING : End.Waiting.BLOCKING;
    near = new End(a, peerOfA, TAG, waiting);
    far = new End(b, peerOfB, TAG, waiting);
  }

  /** The end that begins. */
  End near() {
    return near;
  }

  /** The end that answers. */
  End far() {
    return far;
  }

  @Override
  public void close() {
    first.close();
    second.close();
    system.terminate();
    try {
      system
          .getWhenTerminated()
          .toCompletableFuture()
          .get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (java.util.concurrent.ExecutionException | TimeoutException e) {
      throw new IllegalStateException("the ActorSystem did not end within " + PATIENCE, e);
    }
  }
}
