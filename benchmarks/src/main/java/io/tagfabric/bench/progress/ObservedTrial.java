package io.tagfabric.bench.progress;

import akka.actor.typed.ActorSystem;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.bench.ours.LocalSystem;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.fabric.FabricSettings;
import io.tagfabric.watch.TemporaryDirectory;
import io.tagfabric.watch.WatchServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * Measures two domains of this JVM, of which more or less is seen: the half round trip of short
 * messages, then the messages a second of a flood. Server and pages run in this JVM too, so what
 * they take is in it.
 */
final class ObservedTrial {
  private static final ProgressWay WAY =
      ProgressWay.ALL.stream().filter(way -> way.name().equals("auto")).findFirst().orElseThrow();

  private final Observed observed;
  private final TrialTimes times;

  /**
   * What was measured.
   *
   * @param p50Us median half round trip in microseconds
   * @param messagesPerSecond of both directions of a flood
   */
  record Cost(double p50Us, double messagesPerSecond) {}

  ObservedTrial(Observed observed, TrialTimes times) {
    this.observed = observed;
    this.times = times;
  }

  Cost measure() {
    try (TemporaryDirectory files = TemporaryDirectory.create("tagfabric-observed-")) {
      return measure(files.path());
    } catch (IOException e) {
      throw new UncheckedIOException("nothing can be shown", e);
    }
  }

  private Cost measure(Path directory) throws IOException {
    Config config =
        observed.recorded()
            ? ConfigFactory.parseMap(
                Map.of(FabricSettings.TRACE_DIRECTORY.fullKey(), directory.toString()))
            : ConfigFactory.empty();
    if (observed.pages() == 0) {
      return measure(config);
    }
    try (WatchServer server = WatchServer.start(directory, 0)) {
      List<CompletableFuture<Void>> pages =
          Stream.generate(() -> open(server)).limit(observed.pages()).toList();
      Cost cost = measure(config);
      if (pages.stream().anyMatch(CompletableFuture::isDone)) {
        throw new IllegalStateException("a page has ended before the measurement");
      }
      return cost;
    }
  }

  private Cost measure(Config config) {
    double p50Us = halfRoundTripUs(config);
    return new Cost(p50Us, new FloodTrial(WAY, times, config).measure().messagesPerSecond());
  }

  private double halfRoundTripUs(Config config) {
    ActorSystem<Void> system = LocalSystem.start("tagfabric-progress", config);
    try {
      Fabric fabric = Fabric.get(system);
      Domain near = fabric.openDomain("near", WAY.of(fabric.progressDefaults()));
      Domain far = fabric.openDomain("far", WAY.of(fabric.progressDefaults()));
      Endpoint here = near.openEndpoint("here");
      Endpoint there = far.openEndpoint("there");
      WaitingEnd first = new WaitingEnd(here, near.addressVector().insert(there.address()));
      WaitingEnd second = new WaitingEnd(there, far.addressVector().insert(here.address()));
      CompletableFuture<Void> echo = WayTrial.start("echo", second::echo);
      WayTrial.pingFor(first, times.warmUpNs());
      long[] halfNs = WayTrial.pingFor(first, times.busyNs());
      first.sendLast();
      near.loop().advance();
      echo.join();
      near.close(Duration.ZERO);
      far.close(Duration.ZERO);
      Arrays.sort(halfNs);
      return halfNs[halfNs.length / 2] / 1e3;
    } finally {
      LocalSystem.end(system);
    }
  }

  /** A page: reads all frames, until the server ends it. */
  private static CompletableFuture<Void> open(WatchServer server) {
    return WayTrial.start(
        "page",
        () -> {
          try (InputStream frames = server.uri().resolve("events").toURL().openStream()) {
            byte[] buffer = new byte[1 << 14];
            int read = frames.read(buffer);
            while (read >= 0) {
              read = frames.read(buffer);
            }
          } catch (IOException e) {
            throw new UncheckedIOException("a page has lost its server", e);
          }
        });
  }
}
