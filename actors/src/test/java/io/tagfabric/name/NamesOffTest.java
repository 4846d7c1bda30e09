package io.tagfabric.name;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.actor.ActorIdentity;
import akka.actor.ActorSelection;
import akka.actor.typed.javadsl.Adapter;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.support.Await;
import io.tagfabric.support.RemoteSystems;
import io.tagfabric.tag.TagSelector;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code tagfabric.names.enabled = off}. */
class NamesOffTest {
  private final RemoteSystems systems = new RemoteSystems();
  private Fabric off;
  private Fabric on;

  @BeforeEach
  void start() {
    off = Fabric.get(systems.start("off", "tagfabric.names.enabled = off"));
    on = Fabric.get(systems.start("off", ""));
  }

  @AfterEach
  void stop() {
    systems.close();
  }

  private static boolean hasService(Fabric fabric) {
    ActorSelection service =
        Adapter.toClassic(fabric.system()).actorSelection("/system/" + NameService.ACTOR);
    CompletionStage<Object> there =
        akka.pattern.Patterns.ask(service, new akka.actor.Identify(1), Duration.ofSeconds(30));
    return ((ActorIdentity) Await.get(there)).getActorRef().isPresent();
  }

  private static void requireOff(CompletionStage<?> stage) {
    assertThat((CompletableFuture<?>) stage.toCompletableFuture()).isCompletedExceptionally();
    assertThat(Await.failure(stage))
        .isInstanceOfSatisfying(
            FabricException.class,
            e -> assertThat(e.error()).isEqualTo(FabricError.OPERATION_NOT_SUPPORTED))
        .hasMessageContaining("tagfabric.names.enabled=off")
        .hasMessageContaining("set it to on");
  }

  @Test
  void shouldStartNoServiceUnlessItIsOnAsItIsByDefault() {
    assertThat(hasService(off)).isFalse();
    assertThat(hasService(on)).isTrue();
    assertThat(off.names().isOn()).isFalse();
    assertThat(on.names().isOn()).isTrue();
  }

  @Test
  void shouldFailAtOnceAndNameTheSetting() {
    Domain domain = off.openDomain("d");
    Endpoint endpoint = domain.openEndpoint("e");

    requireOff(domain.connect("greeter"));
    requireOff(domain.connect("greeter", Duration.ofSeconds(60)));
    requireOff(domain.connect(RemoteSystems.placeOf(on.system()) + "/greeter"));
    requireOff(off.resolve("greeter"));
    requireOff(off.register("greeter", endpoint));
    requireOff(off.unregister("greeter"));
    assertThatThrownBy(() -> off.names().ref())
        .isInstanceOf(FabricException.class)
        .hasMessageContaining("tagfabric.names.enabled=off");
    Await.get(endpoint.close(Duration.ZERO));
  }

  @Test
  void shouldPublishNothing() {
    Endpoint endpoint = off.openDomain("d").openEndpoint("e");
    requireOff(off.register("greeter", endpoint));

    assertThat(
            Await.failure(
                on.resolve(
                    RemoteSystems.placeOf(off.system()) + "/greeter", Duration.ofSeconds(1))))
        .isInstanceOfSatisfying(
            FabricException.class,
            e -> assertThat(e.error()).isEqualTo(FabricError.HOST_UNREACHABLE))
        .hasMessageContaining("tagfabric.names.enabled=off");
  }

  @Test
  void shouldStillConnectByAddress() {
    Domain here = off.openDomain("d");
    Domain there = on.openDomain("d");
    Endpoint alice = here.openEndpoint("alice");
    Endpoint bob = there.openEndpoint("bob");
    int toBob = here.addressVector().insert(bob.address());
    int toAlice = there.addressVector().insert(alice.address());

    var atBob = bob.futures().receiveTagged(TagSelector.exact(1));
    var atAlice = alice.futures().receiveTagged(TagSelector.exact(2));
    Await.get(alice.futures().sendTagged(toBob, new byte[3], 1));
    Await.get(bob.futures().sendTagged(toAlice, new byte[5], 2));

    assertThat(Await.get(atBob).payload().length()).isEqualTo(3);
    assertThat(Await.get(atAlice).payload().length()).isEqualTo(5);
  }
}
