package io.tagfabric.name;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Behaviors;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.address.Protocols;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.runtime.Environment;
import io.tagfabric.runtime.EnvironmentSetup;
import io.tagfabric.support.Await;
import io.tagfabric.support.RemoteSystems;
import io.tagfabric.support.TestCluster;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Names between ActorSystems that speak different protocols, as those of different builds do. */
class NamesOfOtherBuildsTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Protocols OLD = new Protocols(7, 7);
  private static final Protocols NEW = new Protocols(8, 8);
  private static final Protocols BOTH = new Protocols(7, 8);

  private final String key = "tagfabric.job.key = \"" + UUID.randomUUID() + "\"\n";
  private final RemoteSystems systems = new RemoteSystems();
  private final TestCluster cluster = new TestCluster();
  private final Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

  @BeforeEach
  void listen() {
    lines.start();
    root.addAppender(lines);
  }

  @AfterEach
  void stop() {
    systems.close();
    cluster.close();
    root.detachAppender(lines);
    assertThat(lines.list)
        .filteredOn(line -> line.getLevel().isGreaterOrEqual(Level.ERROR))
        .as("nothing is an error to Akka")
        .isEmpty();
  }

  private static EnvironmentSetup speaking(Protocols protocols) {
    return new EnvironmentSetup(
        new Environment() {
          @Override
          public Protocols protocols() {
            return protocols;
          }
        });
  }

  private Fabric start(Protocols protocols) {
    return Fabric.get(systems.start(Behaviors.empty(), "names", key, speaking(protocols)));
  }

  private Fabric startMember(Protocols protocols) {
    ActorSystem<?> system =
        cluster.start(
            ConfigFactory.parseString(key + "tagfabric.names.claim-timeout = 50 s\n")
                .withFallback(ConfigFactory.defaultApplication()),
            speaking(protocols));
    return Fabric.get(system);
  }

  private static Endpoint open(Fabric fabric) {
    return fabric.openDomain("d" + fabric.domains().size()).openEndpoint("e");
  }

  private static Endpoint named(Fabric fabric, String name) {
    Endpoint endpoint = open(fabric);
    Await.get(fabric.register(name, endpoint));
    return endpoint;
  }

  private static String at(Fabric fabric, String name) {
    return RemoteSystems.placeOf(fabric.system()) + "/" + name;
  }

  @Test
  void shouldFailAtOnceAtAPlaceOfOtherProtocols() {
    Fabric old = start(OLD);
    named(old, "greeter");
    Fabric latest = start(NEW);

    assertThat(Await.failure(latest.resolve(at(old, "greeter"))))
        .isInstanceOfSatisfying(
            FabricException.class, e -> assertThat(e.error()).isEqualTo(FabricError.INVALID))
        .hasMessage(
            "node [%s] speaks protocol=7, the node that asks it speaks protocol=8, they have none"
                + " in common: run builds of Tagfabric on both that do",
            old.system().address());
    assertThat(Await.failure(latest.openDomain("d").connect(at(old, "greeter"), LONG)))
        .hasMessageContaining("speaks protocol=7, the node that asks it speaks protocol=8");
  }

  @Test
  void shouldFindANameAtAPlaceThatHasAProtocolInCommon() {
    Fabric old = start(OLD);
    Endpoint greeter = named(old, "greeter");
    Fabric both = start(BOTH);
    Endpoint answerer = named(both, "answerer");

    assertThat(Await.get(both.resolve(at(old, "greeter"), LONG))).isEqualTo(greeter.address());
    assertThat(Await.get(old.resolve(at(both, "answerer"), LONG))).isEqualTo(answerer.address());
  }

  @Test
  void shouldGiveANameToTheNodesThatHaveAProtocolInCommon() {
    Fabric old = startMember(OLD);
    Fabric latest = startMember(NEW);
    Fabric otherOld = startMember(OLD);
    cluster.awaitUp();
    Endpoint bobOfOld = named(old, "bob"); // without a wait for the vote of the latest
    Endpoint bobOfLatest = named(latest, "bob");
    named(latest, "eve");

    assertThat(Await.get(otherOld.resolve("bob"))).isEqualTo(bobOfOld.address());
    assertThat(Await.get(latest.resolve("bob"))).isEqualTo(bobOfLatest.address());
    assertThat(Await.failure(otherOld.register("bob", open(otherOld))))
        .isInstanceOfSatisfying(
            FabricException.class,
            e -> assertThat(e.error()).isEqualTo(FabricError.ADDRESS_IN_USE));
    assertThat(Await.failure(otherOld.resolve("eve", Duration.ofSeconds(2))))
        .isInstanceOfSatisfying(
            FabricException.class, e -> assertThat(e.error()).isEqualTo(FabricError.NO_ENTRY))
        .hasMessageStartingWith("no endpoint had the name [eve] within 2000 ms")
        .hasMessageEndingWith(
            "which speaks protocol=7: [%s] speaks protocol=8", latest.system().address());
  }
}
