package io.tagfabric.trials.fuzz;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Behaviors;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.bench.ours.LocalSystem;
import io.tagfabric.bench.ours.Providers;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.provider.Provider;
import io.tagfabric.provider.Reach;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

/** The four ActorSystems of this JVM that take part, over one provider. */
final class FuzzSystems implements AutoCloseable {
  private static final UUID JOB = new UUID(0x7A61, 1);
  private static final UUID OTHER_JOB = new UUID(0x7A61, 2);

  /** Small numbers, so that limits are met all the time. */
  private static final String COMMON =
      """
      akka.jvm-exit-on-fatal-error = off
      akka.loglevel = ERROR
      akka.stdout-loglevel = ERROR
      akka.log-dead-letters = off
      akka.coordinated-shutdown.exit-jvm = off
      akka.actor.allow-java-serialization = off
      tagfabric {
        endpoint { packet-size = 16 KiB, close-timeout = 1 s }
        flow {
          eager-limit = 2 KiB, multi-eager-limit = 24 KiB
          rendezvous-window = 4 KiB, rendezvous-windows = 2
          eager-credit = 128 KiB, unexpected-budget = 1 MiB, message-credits = 256
          connect-timeout = 5 s, ping = 20 ms
          replay-packets = 4
        }
        aeron { mtu = 1408, receive-window = 64 KiB, term-length = 512 KiB }
      }
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

  /** One of them. */
  final class Part {
    private final ActorSystem<Void> system;
    private final Fabric fabric;
    private Supplier<Hook> hooks;

    private Part(String name, UUID job) {
      Config config =
          ConfigFactory.parseString(
                  "tagfabric.job.key = \""
                      + job
                      + "\"\ntagfabric.provider.use = ["
                      + provider
                      + "]\nakka.actor.provider = local")
              .withFallback(ConfigFactory.parseString(COMMON))
              .withFallback(ConfigFactory.load());
      if (isRemote()) {
        config = ConfigFactory.parseString(REMOTE).withFallback(config);
      }
      if (keys != null) {
        config = ConfigFactory.parseString(keys.settings()).withFallback(config);
      }
      system = ActorSystem.create(Behaviors.empty(), "tagfabric-fuzz-" + name, config);
      started.add(system);
      fabric = Fabric.get(system);
      Provider real = fabric.providers().get(provider);
      reliable = real.capabilities().reliable();
      fabric.addProvider(new FuzzProvider(real, () -> hooks.get()));
    }

    long incarnation() {
      return fabric.incarnation();
    }

    /**
     * Opens a domain.
     *
     * @param between for each wire that is opened in it
     */
    Domain open(Supplier<Hook> between) {
      hooks = between;
      return fabric.openDomain("fuzz", ProgressMode.MANUAL);
    }
  }

  private final String provider;
  private final FuzzKeys keys;
  private final List<ActorSystem<Void>> started = new ArrayList<>();
  private final Part victim;
  private final Part attackers;
  private final Part friend;
  private final Part stranger;
  private boolean reliable;

  /**
   * Starts them.
   *
   * @param keys to encrypt what goes between them; null for none
   */
  FuzzSystems(String provider, FuzzKeys keys) {
    this.provider = provider;
    this.keys = keys;
    boolean complete = false;
    try {
      victim = new Part("victim", JOB);
      attackers = new Part("attackers", JOB);
      friend = new Part("friend", JOB);
      stranger = new Part("stranger", OTHER_JOB);
      complete = true;
    } finally {
      if (!complete) {
        close();
      }
    }
  }

  Part victim() {
    return victim;
  }

  Part attackers() {
    return attackers;
  }

  Part friend() {
    return friend;
  }

  Part stranger() {
    return stranger;
  }

  /** What encrypts; null if nothing does. */
  FuzzKeys keys() {
    return keys;
  }

  /** Whether packets arrive, or the channel is closed. */
  boolean isReliable() {
    return reliable;
  }

  /** Whether packets travel over Akka's remoting. */
  private boolean isRemote() {
    return Providers.reaches(provider, Reach.REMOTING);
  }

  @Override
  public void close() {
    started.forEach(ActorSystem::terminate);
    started.forEach(LocalSystem::end);
    started.clear();
  }
}
