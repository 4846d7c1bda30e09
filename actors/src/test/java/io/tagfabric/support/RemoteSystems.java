package io.tagfabric.support;

import akka.actor.BootstrapSetup;
import akka.actor.setup.ActorSystemSetup;
import akka.actor.setup.Setup;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.Behaviors;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.util.ArrayList;
import java.util.List;

/** ActorSystems in this JVM that listen at ports of loopback and are in no cluster. */
public final class RemoteSystems implements AutoCloseable {
  private static final String CONFIG =
      """
      akka.loglevel = ERROR
      akka.log-dead-letters = off
      akka.actor.provider = remote
      akka.actor.allow-java-serialization = off
      akka.remote.warn-about-direct-use = off
      akka.remote.artery {
        transport = tcp
        canonical { hostname = "127.0.0.1", port = 0 }
        advanced { inbound-lanes = 1, outbound-lanes = 1 }
      }
      tagfabric.provider.use = [artery]
      """;

  private final List<ActorSystem<?>> systems = new ArrayList<>();

  /** Starts one with more configuration, at any free port unless that names one. */
  public ActorSystem<Void> start(String name, String more) {
    return start(Behaviors.empty(), name, more);
  }

  /** The same with a guardian and setups. */
  public <T> ActorSystem<T> start(Behavior<T> guardian, String name, String more, Setup... setups) {
    Config config =
        ConfigFactory.parseString(more)
            .withFallback(ConfigFactory.parseString(CONFIG))
            .withFallback(ConfigFactory.load());
    ActorSystemSetup setup = ActorSystemSetup.create(setups);
    ActorSystem<T> system =
        ActorSystem.create(guardian, name, setup.and(BootstrapSetup.create(config)));
    systems.add(system);
    return system;
  }

  /** Host and port, such as {@code 127.0.0.1:25520}. */
  public static String placeOf(ActorSystem<?> system) {
    return system.address().hostPort().substring(system.name().length() + 1);
  }

  /** Ends one and waits until it has. */
  public void stop(ActorSystem<?> system) {
    systems.remove(system);
    system.terminate();
    Await.get(system.getWhenTerminated());
  }

  /** Ends all, and waits until no thread of them is left. */
  @Override
  public void close() {
    List<String> names = systems.stream().map(system -> system.name() + "-").toList();
    systems.forEach(ActorSystem::terminate);
    systems.forEach(system -> Await.get(system.getWhenTerminated()));
    systems.clear();
    Await.until(
        "no thread of " + names + " is left",
        () ->
            Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> names.stream().anyMatch(thread.getName()::startsWith)));
  }
}
