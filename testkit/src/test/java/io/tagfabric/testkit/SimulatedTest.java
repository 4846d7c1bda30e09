package io.tagfabric.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.simulation.SimulatedFabric;
import io.tagfabric.simulation.SimulatedNode;
import io.tagfabric.tag.TagSelector;
import java.time.Duration;
import org.junit.jupiter.api.Test;

@FabricTest(
    endpoints = {"ada", "bob"},
    seed = 7,
    settings = "tagfabric.partition.key = 9")
class SimulatedTest {
  @Test
  void shouldSimulateTheEndpointsThatAreNamed(SimulatedFabric fabric) {
    Endpoint ada = fabric.node("ada").endpoint();
    SimulatedNode bob = fabric.node("bob");
    var received = bob.endpoint().futures().receiveTagged(TagSelector.exact(7));
    fabric.hold("ada", "bob");
    int peer = fabric.node("ada").domain().addressVector().insert(bob.address());
    var sent = ada.futures().sendTagged(peer, new byte[] {1, 2, 3}, 7);
    fabric.advance(Duration.ofSeconds(1));
    assertThat(received.toCompletableFuture()).isNotDone();

    fabric.release("ada", "bob");
    assertThat(fabric.runUntil(received.toCompletableFuture()::isDone, Duration.ofSeconds(10)))
        .isTrue();

    assertThat(received.toCompletableFuture().join().payload().array()).containsExactly(1, 2, 3);
    assertThat(sent.toCompletableFuture()).isDone();
    assertThat(bob.domain().fabric().partitionKey()).isEqualTo(9);
    assertThat(fabric.now()).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
  }
}
