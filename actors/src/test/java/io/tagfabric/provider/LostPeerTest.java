package io.tagfabric.provider;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.typed.ActorSystem;
import akka.cluster.typed.Cluster;
import akka.cluster.typed.Down;
import akka.cluster.typed.Join;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.error.FabricError;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.provider.lossy.LossyProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A peer that goes without a word: only its operations end, and they say who it was. */
class LostPeerTest {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final String SOON = "tagfabric.flow { peer-timeout = 200 ms, max-ping = 20 ms }";
  private static final String CLUSTER =
      """
      akka.actor.provider = cluster
      akka.cluster.jmx.multi-mbeans-in-same-jvm = on
      akka.cluster.downing-provider-class = ""
      tagfabric.flow.peer-timeout = 1 h
      """;

  private final List<ActorSystem<Void>> systems = new ArrayList<>();

  @AfterEach
  void stop() {
    LossyProvider.cut(false);
    ContractSystems.stop(systems);
  }

  private Side open(String provider, String name, String more) {
    ActorSystem<Void> system = ContractSystems.start(provider, name, more);
    systems.add(system);
    Domain domain = Fabric.get(system).openDomain(name, ProgressMode.AUTO);
    return new Side(domain, name, 64, domain.endpointDefaults());
  }

  private static Completion.Failed failure(Completion completion) {
    assertThat(completion).isInstanceOf(Completion.Failed.class);
    return (Completion.Failed) completion;
  }

  private static void await(String what, BooleanSupplier condition) {
    long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - deadlineNs).as(what).isNegative();
      Thread.yield();
    }
  }

  @Test
  void shouldFailWhatNamesThePeerWhenItIsSilent() {
    Side near = open("lossy", "near", SOON);
    Side far = open("lossy", "far", "");
    int peer = near.indexOf(far);
    int back = far.indexOf(near);
    near.post(peer, 8, 1, 0);
    near.post(-1, 8, 2, 0);
    near.send(peer, new byte[8], 3, CompletionLevel.TRANSMIT);
    assertThat(near.endpoint.transmitQueue().readBlocking(PATIENCE))
        .isInstanceOf(Completion.Sent.class);
    far.post(back, 8, 9, 0);

    LossyProvider.cut(true);
    near.send(peer, new byte[100_000], 4, CompletionLevel.TRANSMIT);
    Completion.Failed sent = failure(near.endpoint.transmitQueue().readBlocking(PATIENCE));
    Completion.Failed received = failure(near.endpoint.receiveQueue().readBlocking(PATIENCE));

    for (Completion.Failed each : List.of(sent, received)) {
      assertThat(each.error()).isEqualTo(FabricError.TIMED_OUT);
      assertThat(each.peer()).isEqualTo(peer);
      assertThat(each.detail()).contains("far@akka://far", "flow.peer-timeout=200 ms");
    }
    assertThat(near.endpoint.receiveQueue().ring().isEmpty()).as("any-source waits").isTrue();

    // The other side lives and learns at its next packet that it was given up.
    LossyProvider.cut(false);
    far.send(back, new byte[8], 5, CompletionLevel.TRANSMIT);
    Completion.Failed late = failure(far.endpoint.transmitQueue().readBlocking(PATIENCE));
    assertThat(late.error()).isEqualTo(FabricError.CONNECTION_RESET);
    assertThat(late.detail()).contains("near@akka://near", "given this flow up");
    assertThat(failure(far.endpoint.receiveQueue().readBlocking(PATIENCE)).peer()).isEqualTo(back);
  }

  @Test
  void shouldMeetAnewWhenBothSidesRemoveAndInsertThePeer() {
    Side near = open("lossy", "near", SOON);
    Side far = open("lossy", "far", "");
    int peer = near.indexOf(far);
    int back = far.indexOf(near);
    near.send(peer, new byte[8], 3, CompletionLevel.TRANSMIT);
    near.endpoint.transmitQueue().readBlocking(PATIENCE);
    LossyProvider.cut(true);
    near.send(peer, new byte[8], 4, CompletionLevel.TRANSMIT);
    failure(near.endpoint.transmitQueue().readBlocking(PATIENCE));
    LossyProvider.cut(false);

    near.send(peer, new byte[8], 5);
    assertThat(failure(near.endpoint.transmitQueue().readBlocking(PATIENCE)).error())
        .isEqualTo(FabricError.TIMED_OUT);
    far.send(back, new byte[8], 5, CompletionLevel.TRANSMIT);
    assertThat(failure(far.endpoint.transmitQueue().readBlocking(PATIENCE)).error())
        .isEqualTo(FabricError.CONNECTION_RESET);
    near.domain.addressVector().remove(peer);
    far.domain.addressVector().remove(back);
    int again = near.indexOf(far);
    int backAgain = far.indexOf(near);
    near.send(again, Side.pattern(8, 6), 6, CompletionLevel.TRANSMIT);
    near.endpoint.transmitQueue().readBlocking(PATIENCE);
    byte[] buffer = far.post(backAgain, 8, 6, 0);

    assertThat(far.endpoint.receiveQueue().readBlocking(PATIENCE))
        .isInstanceOf(Completion.Received.class);
    assertThat(buffer).isEqualTo(Side.pattern(8, 6));
  }

  @Test
  void shouldGiveUpWhenNobodyAnswersTheFirstHello() {
    Side near = open("lossy", "near", "tagfabric.flow.connect-timeout = 200 ms");
    Side far = open("lossy", "far", "");
    LossyProvider.cut(true);

    near.send(near.indexOf(far), new byte[8], 1);
    Completion.Failed failure = failure(near.endpoint.transmitQueue().readBlocking(PATIENCE));

    assertThat(failure.error()).isEqualTo(FabricError.TIMED_OUT);
    assertThat(failure.detail())
        .startsWith(
            "peer [far@akka://far] lost: no answer within flow.connect-timeout=200 ms over lossy;")
        .contains("tagfabric.job.key");
  }

  @Test
  void shouldBelieveTheClusterWhenItDownsANode() throws Exception {
    Side near = open("artery", "same", CLUSTER);
    Side far = open("artery", "same", CLUSTER);
    Cluster home = Cluster.get(systems.get(0));
    Cluster other = Cluster.get(systems.get(1));
    home.manager().tell(Join.create(home.selfMember().address()));
    other.manager().tell(Join.create(home.selfMember().address()));
    int peer = near.indexOf(far);
    near.send(peer, new byte[8], 1, CompletionLevel.TRANSMIT);
    assertThat(near.endpoint.transmitQueue().readBlocking(PATIENCE))
        .isInstanceOf(Completion.Sent.class);
    await("both are up", () -> home.state().members().size() == 2);
    near.post(peer, 8, 2, 0);

    home.manager().tell(new Down(other.selfMember().address()));
    Completion.Failed failure = failure(near.endpoint.receiveQueue().readBlocking(PATIENCE));

    assertThat(failure.error()).isIn(FabricError.CONNECTION_RESET, FabricError.SHUTDOWN);
    assertThat(failure.detail()).contains(far.endpoint.address().toString());
    assertThat(failure.peer()).isEqualTo(peer);
    systems.get(1).getWhenTerminated().toCompletableFuture().get(90, TimeUnit.SECONDS);
  }
}
