package io.tagfabric.provider;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.typed.ActorSystem;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.flow.window.FlowCounters;
import io.tagfabric.progress.ProgressMode;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Short messages inside a host travel without packets. */
class InjectedMessagesTest {
  private static final int COUNT = 10_000;

  @TempDir Path directory;

  private ActorSystem<Void> system;
  private Side near;
  private Side far;

  private void open(String provider, ProgressMode mode) {
    system =
        ContractSystems.start(
            provider, "inject", "tagfabric.launch.directory = \"" + directory + '"');
    near = side("near", mode);
    far = side("far", mode);
  }

  private Side side(String name, ProgressMode mode) {
    Domain domain = Fabric.get(system).openDomain(name, mode);
    return new Side(domain, name, Side.QUEUE_SIZE, domain.endpointDefaults());
  }

  @AfterEach
  void stop() {
    ContractSystems.stop(List.of(system));
  }

  private void await(String what, BooleanSupplier condition) {
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.getAsBoolean()) {
      near.poll();
      far.poll();
      assertThat(System.nanoTime() - deadlineNs).as(what).isNegative();
    }
  }

  private FlowCounters.Snapshot counters(Side side, int peer) {
    CompletableFuture<FlowCounters.Snapshot> answer =
        side.endpoint.flowCounters(peer).toCompletableFuture();
    await("counters", answer::isDone);
    return answer.join();
  }

  /** Within a JVM a message travels alone only while the receiver has nothing to look at. */
  @ParameterizedTest
  @CsvSource({"local, MANUAL, 0", "local, AUTO, 0", "shm, MANUAL, 1000", "shm, AUTO, 1000"})
  void shouldSendPacketsForTheCreditOnlyWhenMessagesAreShort(
      String provider, ProgressMode mode, int ahead) {
    open(provider, mode);
    int toFar = near.indexOf(far);
    int toNear = far.indexOf(near);
    near.send(toFar, new byte[1], 1);
    far.post(1, 1);
    await("the flow", () -> far.received.size() == 1);
    FlowCounters.Snapshot before = counters(near, toFar);

    for (int i = 0; i < COUNT; i++) {
      far.post(8, 2);
      near.send(toFar, Side.pattern(8, i), 2);
      if (i % 16 == 0) {
        near.poll();
        far.poll();
      }
      int least = i + 1 - ahead;
      await("a window of messages", () -> far.received.size() > least);
    }
    await("all messages", () -> far.received.size() == 1 + COUNT);

    FlowCounters.Snapshot after = counters(near, toFar);
    long injected = after.messagesInjected() - before.messagesInjected();
    long inPackets = after.eagerMessagesSent() - before.eagerMessagesSent() - injected;
    // a message that finds the loop busy or no credit left may go in a packet
    assertThat(injected).isGreaterThan(COUNT * 9 / 10);
    assertThat(after.packetsSent() - before.packetsSent()).isLessThanOrEqualTo(inPackets);
    assertThat(counters(far, toNear).acknowledgementsSent()).isLessThan(COUNT / 50);
  }

  @ParameterizedTest
  @CsvSource({"local, MANUAL", "local, AUTO", "shm, MANUAL", "shm, AUTO"})
  void shouldUseAPacketWhenTheSenderWantsToKnowMoreThanThatItLeft(
      String provider, ProgressMode mode) {
    open(provider, mode);
    int toFar = near.indexOf(far);
    near.send(toFar, new byte[1], 1);
    far.post(1, 1);
    await("the flow", () -> far.received.size() == 1);
    long before = counters(near, toFar).messagesInjected();

    far.post(8, 2);
    near.send(toFar, new byte[8], 2, CompletionLevel.DELIVERY);
    await("delivery", () -> near.sent.size() == 2);

    assertThat(counters(near, toFar).messagesInjected()).isEqualTo(before);
    assertThat(far.received).hasSize(2);
  }
}
