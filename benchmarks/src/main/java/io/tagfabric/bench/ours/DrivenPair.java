package io.tagfabric.bench.ours;

import akka.actor.typed.ActorSystem;
import com.typesafe.config.Config;
import io.tagfabric.bench.measure.End;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Two endpoints of this JVM that reach each other by one provider, as endpoints of two processes
 * do: each has an ActorSystem and a domain of its own. One thread drives both.
 */
final class DrivenPair implements AutoCloseable {
  private static final int DEPTH = 4096;

  private final List<ActorSystem<Void>> systems = new ArrayList<>();
  private final List<Domain> domains = new ArrayList<>();
  private final DrivenEnd[] ends;

  /** Opens the pair as the options say. */
  DrivenPair(BenchOptions options) {
    Config depths = Depths.config(DEPTH);
    boolean complete = false;
    try {
      Domain near = open("near", options, depths);
      Domain far = open("far", options, depths);
      Endpoint a = near.openEndpoint("near");
      Endpoint b = far.openEndpoint("far");
      ends =
          DrivenEnd.pair(
              a,
              options.buffers(near),
              b,
              options.buffers(far),
              near.addressVector().insert(b.address()),
              far.addressVector().insert(a.address()));
      complete = true;
    } finally {
      if (!complete) {
        close();
      }
    }
  }

  private Domain open(String name, BenchOptions options, Config depths) {
    ActorSystem<Void> system =
        LocalSystem.startReachable("tagfabric-bench-" + name, options.provider(), depths);
    systems.add(system);
    Fabric fabric = Fabric.get(system);
    Domain domain = fabric.openDomain(name, options.progress(fabric.progressDefaults()));
    domains.add(domain);
    return domain;
  }

  /** The end that begins. */
  End near() {
    return ends[0];
  }

  /** The end that answers. */
  End far() {
    return ends[1];
  }

  @Override
  public void close() {
    domains.forEach(domain -> domain.close(Duration.ZERO));
    systems.forEach(LocalSystem::end);
  }
}
