package io.tagfabric.docs;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Behaviors;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.jvms.TestPorts;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The part of docs/20-using.md on names of ActorSystems that form no cluster. */
class NamesAtPlacesTest {
  private final int port = TestPorts.next();
  private final ActorSystem<Void> listening = start(port);
  private final ActorSystem<Void> asking = start(0);

  private static ActorSystem<Void> start(int port) {
    return ActorSystem.create(
        Behaviors.empty(),
        "places",
        ConfigFactory.parseString(
                """
                akka.loglevel = ERROR
                akka.actor.provider = remote
                akka.remote.warn-about-direct-use = off
                akka.remote.artery.transport = tcp
                akka.remote.artery.canonical.hostname = "127.0.0.1"
                """)
            .withFallback(ConfigFactory.parseMap(Map.of("akka.remote.artery.canonical.port", port)))
            .withFallback(ConfigFactory.load()));
  }

  @AfterEach
  void stop() throws Exception {
    for (ActorSystem<Void> system : List.of(asking, listening)) {
      system.terminate();
      system.getWhenTerminated().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }
  }

  @Test
  void shouldShowAPlace() throws Exception {
    Fabric server = Fabric.get(listening);
    Endpoint greeter = server.openDomain("server").openEndpoint("greeter");
    Domain domain = Fabric.get(asking).openDomain("client");
    // #place
    server.register("greeter", greeter); // at the ActorSystem that listens at the port
    String place = "127.0.0.1:" + port + "/greeter"; // such as 127.0.0.1:25520/greeter
    CompletionStage<Integer> peer = domain.connect(place, Duration.ofSeconds(30));
    // #place
    int index = peer.toCompletableFuture().get(60, TimeUnit.SECONDS);
    assertThat(domain.addressVector().lookup(index)).isEqualTo(greeter.address());
  }
}
