package io.tagfabric.trials.fabtests;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Behaviors;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.bench.ours.LocalSystem;
import io.tagfabric.bench.ours.Providers;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.provider.Reach;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** Two sides in this JVM, each with an ActorSystem, a domain and a thread. Thread: one. */
final class PairHere implements AutoCloseable {
  static final String WHERE = "jvm";

  private static final String COMMON =
      """
      akka.actor.provider = local
      akka.loglevel = ERROR
      akka.stdout-loglevel = ERROR
      akka.log-dead-letters = off
      akka.jvm-exit-on-fatal-error = off
      akka.coordinated-shutdown.exit-jvm = off
      """;
  private static final String REMOTE =
      """
      akka.actor.provider = remote
      akka.remote.artery {
        transport = tcp
        canonical { hostname = "127.0.0.1", port = 0 }
        advanced { inbound-lanes = 1, outbound-lanes = 1 }
      }
      """;

  private final String provider;
  private final Duration limit;
  private final List<ActorSystem<Void>> systems = new ArrayList<>();
  private final List<Side> sides = new ArrayList<>();

  /**
   * Starts both.
   *
   * @param limit of a scenario
   */
  PairHere(String provider, Duration limit) {
    this.provider = provider;
    this.limit = limit;
    UUID key = UUID.randomUUID();
    List<Domain> domains = new ArrayList<>();
    List<Endpoint> controls = new ArrayList<>();
    boolean complete = false;
    try {
      for (int index = 0; index < 2; index++) {
        systems.add(ActorSystem.create(Behaviors.empty(), "tagfabric-fabtests", config(key)));
        Domain domain = Fabric.get(systems.get(index)).openDomain("fabtests");
        domains.add(domain);
        controls.add(domain.openEndpoint("control-" + index));
      }
      for (int index = 0; index < 2; index++) {
        int peer = domains.get(index).addressVector().insert(controls.get(1 - index).address());
        sides.add(new Side(index, domains.get(index), controls.get(index), peer, null));
      }
      complete = true;
    } finally {
      if (!complete) {
        close();
      }
    }
  }

  private Config config(UUID key) {
    return ConfigFactory.parseMap(
            Map.of(
                "tagfabric.provider.use", List.of(provider), "tagfabric.job.key", key.toString()))
        .withFallback(
            ConfigFactory.parseString(Providers.reaches(provider, Reach.REMOTING) ? REMOTE : ""))
        .withFallback(ConfigFactory.parseString(COMMON))
        .withFallback(ConfigFactory.load());
  }

  Side side(int index) {
    return sides.get(index);
  }

  /** Runs a scenario; after a failure the pair can be closed only. */
  Outcome run(Scenario scenario) throws InterruptedException {
    long beginNs = System.nanoTime();
    List<Runner> runners = sides.stream().map(side -> new Runner(side, scenario)).toList();
    runners.forEach(Thread::start);
    // What watches the deadline is not what a scenario runs on: that may hang.
    long endNs = beginNs + limit.toNanos() + TimeUnit.SECONDS.toNanos(1);
    while (runners.stream().anyMatch(Thread::isAlive)
        && runners.stream().allMatch(each -> each.failure == null)
        && System.nanoTime() - endNs < 0) {
      for (Runner each : runners) {
        each.join(5);
      }
    }
    boolean late = System.nanoTime() - endNs >= 0;
    for (Runner each : runners) {
      if (each.isAlive()) {
        each.interrupt();
        each.join(TimeUnit.SECONDS.toMillis(2));
      }
    }
    double seconds = (System.nanoTime() - beginNs) / 1e9;
    StringBuilder why = new StringBuilder();
    for (Runner each : runners) {
      if (each.failure != null) {
        why.append(why.length() > 0 ? "; " : "").append("side ").append(each.side.index());
        why.append(": ").append(text(each.failure));
      }
    }
    if (late) {
      why.insert(0, "no end within " + limit.toSeconds() + " s; ");
    }
    return why.length() == 0
        ? Outcome.pass(scenario, provider, WHERE, seconds)
        : Outcome.fail(scenario, provider, WHERE, why.toString(), seconds);
  }

  /** A failure as one line. */
  static String text(Throwable failure) {
    String text = failure instanceof Wrong ? failure.getMessage() : failure.toString();
    return text.replaceAll("\\s+", " ");
  }

  private final class Runner extends Thread {
    private final Side side;
    private final Scenario scenario;
    private volatile Throwable failure;

    Runner(Side side, Scenario scenario) {
      super("fabtests-" + side.index());
      setDaemon(true);
      this.side = side;
      this.scenario = scenario;
    }

    @Override
    public void run() {
      try {
        side.run(scenario, limit);
      } catch (Throwable wrong) { // an Error of a scenario is one of its ends too
        failure = wrong;
      }
    }
  }

  @Override
  public void close() {
    systems.forEach(ActorSystem::terminate);
    systems.forEach(LocalSystem::end);
    systems.clear();
  }
}
