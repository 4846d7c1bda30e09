package io.tagfabric.trials.soak;

import akka.actor.typed.ActorSystem;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.bench.ours.LocalSystem;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.progress.ProgressMode;
import java.time.Duration;

/** Two sides in this JVM, each with a domain, driven by one thread. */
final class LocalSoak implements AutoCloseable {
  private final ActorSystem<Void> system;
  private final Domain first;
  private final Domain second;
  private final SoakSide near;
  private final SoakSide far;

  LocalSoak(SoakOptions options) {
    Config faults = ConfigFactory.parseMap(options.faults.settings(options.seed));
    system = LocalSystem.start("tagfabric-soak", faults);
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
    LocalSystem.end(system);
  }
}
