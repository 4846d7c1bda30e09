package io.tagfabric.soak;

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

/** Two sides in this JVM, each with a domain, driven by one thread. */
final class LocalSoak implements AutoCloseable {
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
  private final SoakSide near;
  private final SoakSide far;

  LocalSoak(SoakOptions options) {
    Config config =
        ConfigFactory.parseMap(CONFIG)
            .withFallback(ConfigFactory.parseMap(options.faults.settings(options.seed)))
            .withFallback(ConfigFactory.load());
    system = ActorSystem.create(Behaviors.empty(), "tagfabric-soak", config);
    Fabric fabric = Fabric.get(system);
    first = fabric.openDomain("near", ProgressMode.MANUAL);
    second = fabric.openDomain("far", ProgressMode.MANUAL);
    Endpoint a = first.openEndpoint("near");
    Endpoint b = second.openEndpoint("far");
    near = new SoakSide(a, first.addressVector().insert(b.address()), 0, options);
    far = new SoakSide(b, second.addressVector().insert(a.address()), 1, options);
  }

  SoakSide near() {
    return near;
  }

  SoakSide far() {
    return far;
  }

  @Override
  public void close() {
    first.close(Duration.ZERO);
    second.close(Duration.ZERO);
    system.terminate();
    system.getWhenTerminated().toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
  }
}
