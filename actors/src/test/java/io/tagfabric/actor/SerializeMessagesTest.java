package io.tagfabric.actor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.name.NameService;
import io.tagfabric.support.Await;
import io.tagfabric.support.RemoteSystems;
import io.tagfabric.tag.TagSelector;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Systems in which Akka writes each message of an actor as bytes, as test suites have it do. */
class SerializeMessagesTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final String SERIALIZE = "akka.actor.serialize-messages = on\n";

  private final RemoteSystems systems = new RemoteSystems();

  @AfterEach
  void stop() {
    systems.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"on", "off"})
  void shouldWorkWithJavasSerializationAndWithout(String java) {
    String config =
        SERIALIZE
            + "akka.actor.allow-java-serialization = "
            + java
            + "\nakka.remote.use-unsafe-remote-features-outside-cluster = on\n"
            + "tagfabric.provider.use = [shm]\ntagfabric.job.key = \""
            + UUID.randomUUID()
            + "\"";
    ActorSystem<Void> near = systems.start("near", config);
    ActorSystem<Void> far = systems.start("far", config);
    Domain nearDomain = Fabric.get(near).openDomain("d");
    Domain farDomain = Fabric.get(far).openDomain("d");
    Endpoint sender = nearDomain.openEndpoint("sender");
    Endpoint receiver = farDomain.openEndpoint("receiver");

    // names, by the program and by an actor
    Await.get(Fabric.get(far).register("orders", receiver));
    TestProbe<NameService.RegisterOutcome> registered = TestProbe.create(far);
    Fabric.get(far)
        .names()
        .ref()
        .tell(new NameService.Register("too", receiver.address(), registered.getRef()));
    registered.expectMessageClass(NameService.Registered.class, LONG);
    int peer = Await.get(nearDomain.connect("far@" + RemoteSystems.placeOf(far) + "/orders", LONG));

    // tagged messages
    var received = receiver.futures().receiveTagged(TagSelector.exact(7));
    Await.get(sender.futures().sendTagged(peer, "hello".getBytes(StandardCharsets.UTF_8), 7));
    assertThat(Await.get(received).payload().array()).asString().isEqualTo("hello");
    TestProbe<Endpoint.Closed> closed = TestProbe.create(near);
    sender.ref().tell(new Endpoint.Close(Duration.ZERO, closed.getRef()));
    closed.receiveMessage(LONG);

    // twins
    TestProbe<String> got = TestProbe.create(far);
    Await.get(FabricActors.get(far).expose("target", got.getRef(), String.class));
    ActorRef<String> twin =
        Await.get(
            FabricActors.get(near)
                .ref("far@" + RemoteSystems.placeOf(far) + "/target", String.class, LONG));
    twin.tell("over the fabric");
    got.expectMessage(LONG, "over the fabric");
    assertThat(FabricActors.get(near).counters().sent()).isEqualTo(1);
  }

  @Test
  void shouldSayWhichLineIsMissingWhereAkkasOwnValueHasWon() {
    ActorSystem<Void> system =
        systems.start(
            "near",
            SERIALIZE + "akka.actor.no-serialization-verification-needed-class-prefix = [akka.]");

    assertThatThrownBy(() -> Fabric.get(system))
        .isInstanceOfSatisfying(
            FabricException.class, e -> assertThat(e.error()).isEqualTo(FabricError.INVALID))
        .hasMessageContaining(
            "akka.actor.no-serialization-verification-needed-class-prefix += \"io.tagfabric.\"");
  }
}
