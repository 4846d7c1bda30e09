package io.tagfabric.name;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.support.Await;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** Names within one ActorSystem that has no cluster. */
class NameServiceTest {
  private static final ActorTestKit KIT = ActorTestKit.create();
  private static final Fabric FABRIC = Fabric.get(KIT.system());

  private Domain domain;
  private Endpoint endpoint;
  private String name;

  @AfterAll
  static void stop() {
    KIT.shutdownTestKit();
  }

  @BeforeEach
  void open(TestInfo test) {
    name = test.getTestMethod().orElseThrow().getName();
    domain = FABRIC.openDomain(name);
    endpoint = domain.openEndpoint(name);
  }

  @Test
  void shouldFindAnEndpointByItsName() {
    Await.get(FABRIC.register(name, endpoint));

    assertThat(Await.get(FABRIC.resolve(name))).isEqualTo(endpoint.address());
  }

  @Test
  void shouldWaitForANameThatIsRegisteredLater() {
    var found = FABRIC.resolve(name);
    Await.get(FABRIC.register(name, endpoint));

    assertThat(Await.get(found)).isEqualTo(endpoint.address());
  }

  @Test
  void shouldNameWhatWasLookedForAndWhatIsKnownWhenTheTimeIsOver() {
    Await.get(FABRIC.register(name, endpoint));

    assertThat(Await.failure(FABRIC.resolve("nobody", Duration.ofMillis(20))))
        .isInstanceOfSatisfying(
            FabricException.class, e -> assertThat(e.error()).isEqualTo(FabricError.NO_ENTRY))
        .hasMessageStartingWith("no endpoint had the name [nobody] within 20 ms")
        .hasMessageContaining(name);
  }

  @Test
  void shouldRefuseANameThatAnotherEndpointHas() {
    Endpoint other = domain.openEndpoint("other");
    Await.get(FABRIC.register(name, endpoint));

    assertThat(Await.failure(FABRIC.register(name, other)))
        .isInstanceOfSatisfying(
            FabricException.class, e -> assertThat(e.error()).isEqualTo(FabricError.ADDRESS_IN_USE))
        .hasMessageContaining("name [" + name + "] is held by [" + endpoint.address() + "]");
  }

  @Test
  void shouldGiveAnEndpointTheSameNameAgainAndSeveralNames() {
    Await.get(FABRIC.register(name, endpoint));

    assertThat(Await.get(FABRIC.register(name, endpoint)).address()).isEqualTo(endpoint.address());
    Await.get(FABRIC.register(name + "-2", endpoint));
    assertThat(Await.get(FABRIC.resolve(name + "-2"))).isEqualTo(endpoint.address());
  }

  @Test
  void shouldFreeANameWhenItIsUnregistered() {
    Endpoint other = domain.openEndpoint("other");
    Await.get(FABRIC.register(name, endpoint));

    assertThat(Await.get(FABRIC.unregister(name)).wasHeld()).isTrue();
    assertThat(Await.get(FABRIC.unregister(name)).wasHeld()).isFalse();
    Await.get(FABRIC.register(name, other));
    assertThat(Await.get(FABRIC.resolve(name))).isEqualTo(other.address());
  }

  @Test
  void shouldFreeTheNamesOfAnEndpointThatCloses() {
    Endpoint other = domain.openEndpoint("other");
    Await.get(FABRIC.register(name, endpoint));
    Await.get(FABRIC.register(name + "-other", other));
    Await.get(endpoint.close(Duration.ZERO));

    assertThat(Await.failure(FABRIC.resolve(name, Duration.ofMillis(20))))
        .isInstanceOf(FabricException.class);
    assertThat(Await.get(FABRIC.resolve(name + "-other"))).isEqualTo(other.address());
  }

  @Test
  void shouldFreeTheNamesOfAnEndpointThatAnActorCloses() {
    Await.get(FABRIC.register(name, endpoint));
    var probe = KIT.<Endpoint.Closed>createTestProbe();
    endpoint.ref().tell(new Endpoint.Close(Duration.ZERO, probe.ref()));
    probe.receiveMessage();

    assertThat(Await.failure(FABRIC.resolve(name, Duration.ofMillis(20))))
        .isInstanceOf(FabricException.class);
  }

  @Test
  void shouldMakeANamedEndpointAPeer() {
    Await.get(FABRIC.register(name, endpoint));
    Domain other = FABRIC.openDomain(name + "-2");

    int peer = Await.get(other.connect(name));

    assertThat(other.addressVector().lookup(peer)).isEqualTo(endpoint.address());
    assertThat(Await.failure(other.connect("nobody", Duration.ofMillis(20))))
        .isInstanceOf(FabricException.class);
  }

  @Test
  void shouldNotAskAnotherSystemWithoutAnAddressForTheAnswer() {
    assertThat(Await.failure(domain.connect("127.0.0.1:25520/" + name)))
        .isInstanceOfSatisfying(
            FabricException.class,
            e -> assertThat(e.error()).isEqualTo(FabricError.ADDRESS_NOT_AVAILABLE))
        .hasMessageContaining("set akka.actor.provider to remote or cluster");
  }

  @Test
  void shouldTakeCommandsOfActors() {
    EndpointAddress address = endpoint.address();
    var registered = KIT.<NameService.RegisterOutcome>createTestProbe();
    FABRIC.names().ref().tell(new NameService.Register(name, address, registered.ref()));
    assertThat(registered.receiveMessage())
        .isInstanceOfSatisfying(
            NameService.Registered.class,
            held -> {
              assertThat(held.name()).isEqualTo(name);
              assertThat(held.address()).isEqualTo(address);
              assertThat(held.lost().toCompletableFuture()).isNotDone();
            });

    var resolved = KIT.<NameService.ResolveOutcome>createTestProbe();
    FABRIC.names().ref().tell(new NameService.Resolve(name, Duration.ofSeconds(1), resolved.ref()));
    resolved.expectMessage(new NameService.Resolved(name, address));
  }

  @Test
  void shouldRefuseABlankName() {
    assertThatThrownBy(() -> FABRIC.register(" ", endpoint))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1 to 255 characters");
  }
}
