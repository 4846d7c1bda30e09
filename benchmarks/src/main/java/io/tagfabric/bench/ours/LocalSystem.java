package io.tagfabric.bench.ours;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Behaviors;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/** An ActorSystem for endpoints of this JVM only: no cluster, no other provider, few words. */
public final class LocalSystem {
  private static final Map<String, Object> CONFIG =
      Map.of(
          "akka.actor.provider", "local",
          "akka.log-dead-letters", 0,
          "akka.logger-startup-timeout", "30 s",
          "akka.loglevel", "WARNING",
          "akka.stdout-loglevel", "WARNING",
          "akka.coordinated-shutdown.exit-jvm", "off",
          "tagfabric.provider.use", "local");

  private static final Map<String, Object> REACHABLE =
      Map.of(
          "akka.actor.provider", "remote",
          "akka.remote.warn-about-direct-use", "off",
          "akka.loglevel", "ERROR",
          "akka.stdout-loglevel", "ERROR",
          "akka.remote.artery.transport", "tcp",
          "akka.remote.artery.canonical.hostname", "127.0.0.1",
          "akka.remote.artery.canonical.port", 0);

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private LocalSystem() {}

  /**
   * Starts one; {@link #end} ends it.
   *
   * @param further settings of the caller
   */
  public static ActorSystem<Void> start(String name, Config further) {
    Config config =
        ConfigFactory.parseMap(CONFIG).withFallback(further).withFallback(ConfigFactory.load());
    return ActorSystem.create(Behaviors.empty(), name, config);
  }

  /** Starts one that others reach, by one provider alone; {@link #end} ends it. */
  static ActorSystem<Void> startReachable(String name, String provider, Config further) {
    Config config =
        ConfigFactory.parseMap(Map.of("tagfabric.provider.use", List.of(provider)))
            .withFallback(ConfigFactory.parseMap(REACHABLE))
            .withFallback(ConfigFactory.parseMap(CONFIG))
            .withFallback(further)
            .withFallback(ConfigFactory.load());
    return ActorSystem.create(Behaviors.empty(), name, config);
  }

  /**
   * Ends one and waits for it.
   *
   * @throws IllegalStateException if it does not end
   */
  public static void end(ActorSystem<Void> system) {
    system.terminate();
    try {
      system
          .getWhenTerminated()
          .toCompletableFuture()
          .orTimeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
          .join();
    } catch (CompletionException failure) {
      throw new IllegalStateException(
          "the ActorSystem did not end within " + PATIENCE, failure.getCause());
    }
  }
}
