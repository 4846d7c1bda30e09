package io.tagfabric.demos;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Behaviors;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.progress.ProgressMode;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * Both sides of a ping-pong in this JVM, without job, cluster or network: two endpoints in one
 * domain, so one thread moves everything.
 */
final class OneJvm implements Rally.Court, AutoCloseable {
  private static final Map<String, String> SETTINGS =
      Map.of(
          "akka.actor.provider", "local",
          "akka.loglevel", "WARNING",
          "akka.stdout-loglevel", "WARNING",
          "akka.coordinated-shutdown.exit-jvm", "off",
          "tagfabric.provider.use", "local");

  private final ActorSystem<Void> system;
  private final Domain domain;
  private final Player near;
  private final Player far;

  OneJvm(ProgressMode mode, boolean check) {
    var config = ConfigFactory.parseMap(SETTINGS).withFallback(ConfigFactory.load());
    system = ActorSystem.create(Behaviors.empty(), "pingpong", config);
    domain = Fabric.get(system).openDomain("court", mode);
    Endpoint nearEnd = domain.openEndpoint("near");
    Endpoint farEnd = domain.openEndpoint("far");
    near = new Player(nearEnd, domain.addressVector().insert(farEnd.address()), check);
    far = new Player(farEnd, domain.addressVector().insert(nearEnd.address()), check);
  }

  @Override
  public long play(int bytes, int roundTrips, Histogram roundTripsNs) {
    near.begin(bytes);
    far.begin(bytes);
    far.postReceive();
    long beginNs = System.nanoTime();
    long lastNs = beginNs;
    for (int i = 1; i <= roundTrips; i++) {
      near.postReceive();
      near.send(i);
      far.awaitMessage(i);
      if (i < roundTrips) {
        far.postReceive();
      }
      far.send(i);
      near.awaitMessage(i);
      long nowNs = System.nanoTime();
      roundTripsNs.recordValue(nowNs - lastNs);
      lastNs = nowNs;
    }
    return lastNs - beginNs;
  }

  @Override
  public String provider() {
    return "local";
  }

  @Override
  public String progress() {
    return domain.progressSettings().mode().name().toLowerCase(Locale.ROOT);
  }

  @Override
  public void close() {
    domain.close();
    system.terminate();
    system.getWhenTerminated().toCompletableFuture().join();
  }
}
