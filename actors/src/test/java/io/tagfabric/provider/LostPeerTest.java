package io.tagfabric.provider;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.InternalActorRef;
import akka.actor.typed.ActorRefResolver;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Adapter;
import akka.cluster.typed.Cluster;
import akka.cluster.typed.Down;
import akka.cluster.typed.Join;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.error.FabricError;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.provider.artery.ArteryProvider;
import io.tagfabric.provider.faults.LinkedProvider;
import io.tagfabric.provider.faults.Links;
import io.tagfabric.provider.lossy.LossyProvider;
import io.tagfabric.support.Await;
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
    return side(system, name);
  }

  private static Side side(ActorSystem<Void> system, String name) {
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

  /** Both systems become one cluster. */
  private void join() {
    Cluster home = Cluster.get(systems.get(0));
    home.manager().tell(Join.create(home.selfMember().address()));
    Cluster.get(systems.get(1)).manager().tell(Join.create(home.selfMember().address()));
    await("both are up", () -> home.state().members().size() == 2);
  }

  private static void shouldSend(Side near, int peer) {
    near.send(peer, new byte[8], 1, CompletionLevel.TRANSMIT);
    assertThat(near.endpoint.transmitQueue().readBlocking(PATIENCE))
        .isInstanceOf(Completion.Sent.class);
  }

  @Test
  void shouldFindOutThatADomainIsClosedWhoseGoodbyeWasLostWhileItsNodeStaysAMember() {
    Links links = new Links(1);
    String soon =
        CLUSTER.replace("1 h", "200 ms")
            + "tagfabric { endpoint.close-timeout = 100 ms, flow.max-ping = 20 ms }";
    for (int i = 0; i < 2; i++) {
      systems.add(ContractSystems.start("artery", "same", soon));
      Fabric.get(systems.get(i)).addProvider(new LinkedProvider(new ArteryProvider(), links));
    }
    Side near = side(systems.get(0), "near");
    Side far = side(systems.get(1), "far");
    join();
    int peer = near.indexOf(far);
    shouldSend(near, peer);
    near.post(peer, 8, 2, 0);

    links.cut(Links.End.of(far.endpoint.address()), Links.End.of(near.endpoint.address()));
    far.domain.close();
    ActorRefResolver resolver = ActorRefResolver.get(systems.get(1));
    String receiver = far.endpoint.address().providers().get("artery");
    await(
        "its receiver has ended",
        () ->
            ((InternalActorRef) Adapter.toClassic(resolver.resolveActorRef(receiver)))
                .isTerminated());
    links.heal(Links.End.of(far.endpoint.address()), Links.End.of(near.endpoint.address()));
    near.send(peer, new byte[8], 3, CompletionLevel.TRANSMIT);
    Completion.Failed sent = failure(near.endpoint.transmitQueue().readBlocking(PATIENCE));
    Completion.Failed received = failure(near.endpoint.receiveQueue().readBlocking(PATIENCE));

    for (Completion.Failed each : List.of(sent, received)) {
      assertThat(each.error()).isEqualTo(FabricError.CONNECTION_RESET);
      assertThat(each.detail()).contains("its domain is closed", "no goodbye has come");
    }
    assertThat(Cluster.get(systems.get(0)).state().members().size()).as("its node").isEqualTo(2);
  }

  @Test
  void shouldWaitForAMemberThatIsSilentWhileItsDomainIsOpen() {
    Links links = new Links(1);
    String soon = CLUSTER.replace("1 h", "50 ms") + "tagfabric.flow.max-ping = 5 ms";
    systems.add(ContractSystems.start("artery", "same", soon));
    systems.add(ContractSystems.start("artery", "same", soon));
    Fabric.get(systems.get(0)).addProvider(new LinkedProvider(new ArteryProvider(), links));
    Side near = side(systems.get(0), "near");
    Side far = side(systems.get(1), "far");
    join();
    int peer = near.indexOf(far);
    shouldSend(near, peer);

    links.cut(Links.End.of(near.endpoint.address()), Links.End.of(far.endpoint.address()));
    near.send(peer, new byte[8], 3, CompletionLevel.TRANSMIT);
    await(
        "it was asked for long",
        () -> Await.get(near.endpoint.flowCounters(peer)).pingsSent() > 40);
    links.heal(Links.End.of(near.endpoint.address()), Links.End.of(far.endpoint.address()));

    assertThat(near.endpoint.transmitQueue().readBlocking(PATIENCE))
        .isInstanceOf(Completion.Sent.class);
  }

  @Test
  void shouldBelieveTheClusterWhenItDownsANode() throws Exception {
    Side near = open("artery", "same", CLUSTER);
    Side far = open("artery", "same", CLUSTER);
    join();
    Cluster home = Cluster.get(systems.get(0));
    Cluster other = Cluster.get(systems.get(1));
    int peer = near.indexOf(far);
    shouldSend(near, peer);
    near.post(peer, 8, 2, 0);

    home.manager().tell(new Down(other.selfMember().address()));
    Completion.Failed failure = failure(near.endpoint.receiveQueue().readBlocking(PATIENCE));

    assertThat(failure.error()).isIn(FabricError.CONNECTION_RESET, FabricError.SHUTDOWN);
    assertThat(failure.detail()).contains(far.endpoint.address().toString());
    assertThat(failure.peer()).isEqualTo(peer);
    systems.get(1).getWhenTerminated().toCompletableFuture().get(90, TimeUnit.SECONDS);
  }
}
