package io.tagfabric.provider;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.typed.ActorSystem;
import io.tagfabric.cluster.settings.RecordCopy;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.flow.window.FlowSettings;
import io.tagfabric.flow.window.SizeClasses;
import io.tagfabric.link.EndpointSettings;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.provider.lossy.LossyProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of messages and memory when a transfer ends half way or nobody receives. */
class LongTransferTest {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final String SOON = "tagfabric.flow { peer-timeout = 300 ms, max-ping = 20 ms }";
  private static final int LONG = 8 << 20;

  /** Small windows, one at a time: a long message takes thousands of round trips. */
  private static final SizeClasses SLOW = new SizeClasses(1_000, 4_000, 1_024, 1);

  private final List<ActorSystem<Void>> systems = new ArrayList<>();

  @AfterEach
  void stop() {
    LossyProvider.cut(false);
    ContractSystems.stop(systems);
  }

  private Side open(String provider, String name, int queueSize, FlowSettings... flow) {
    ActorSystem<Void> system = ContractSystems.start(provider, name, SOON);
    systems.add(system);
    Domain domain = Fabric.get(system).openDomain(name, ProgressMode.AUTO);
    EndpointSettings settings = domain.endpointDefaults();
    FlowSettings numbers = flow.length == 0 ? settings.flow().withSizes(SLOW) : flow[0];
    return new Side(domain, name, queueSize, settings.withFlow(numbers));
  }

  private static void await(String what, BooleanSupplier condition) {
    long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - deadlineNs).as(what).isNegative();
      Thread.yield();
    }
  }

  private static <T> T get(CompletionStage<T> stage) {
    return stage.toCompletableFuture().orTimeout(90, TimeUnit.SECONDS).join();
  }

  private static TagMatcher.State state(Side side) {
    return get(side.endpoint.futures().matcherState());
  }

  private static void awaitSomeData(Side sender, int peer) {
    await(
        "some windows have left",
        () -> get(sender.endpoint.flowCounters(peer)).dataBytesSent() > 10_000);
  }

  private static Completion.Failed failed(Completion completion) {
    assertThat(completion).isInstanceOf(Completion.Failed.class);
    return (Completion.Failed) completion;
  }

  private static void assertNothingIsLeft(Side side) {
    TagMatcher.State state = state(side);
    assertThat(state.postedReceives()).isZero();
    assertThat(state.unexpectedMessages()).isZero();
    assertThat(state.unexpectedBytes()).isZero();
  }

  @Test
  void shouldEndTheReceiveWhenItsSenderCancelsHalfWay() {
    Side near = open("local", "near", 64);
    Side far = open("local", "far", 64);
    int peer = near.indexOf(far);
    int back = far.indexOf(near);
    far.post(back, LONG, 5, 0);
    Object context = new byte[LONG];
    near.endpoint.sendTagged(peer, new UnsafeBuffer((byte[]) context), 0, LONG, 5, context);
    awaitSomeData(near, peer);

    TagMatcher.CancelOutcome outcome = get(near.endpoint.futures().cancel(context));

    assertThat(outcome).isEqualTo(new TagMatcher.Cancelled(context));
    Completion.Failed sent = failed(near.endpoint.transmitQueue().readBlocking(PATIENCE));
    assertThat(sent.error()).isEqualTo(FabricError.CANCELED);
    Completion.Failed received = failed(far.endpoint.receiveQueue().readBlocking(PATIENCE));
    assertThat(received.error()).isEqualTo(FabricError.CANCELED);
    assertThat(received.peer()).isEqualTo(back);
    assertThat(received.detail()).isEqualTo("peer [near@akka://near] has cancelled the message");
    near.send(peer, Side.pattern(10, 1), 6, CompletionLevel.DELIVERY);
    assertThat(near.endpoint.transmitQueue().readBlocking(PATIENCE))
        .as("the flow goes on")
        .isInstanceOf(Completion.Sent.class);
    assertThat(get(near.endpoint.futures().cancel(context)))
        .isEqualTo(new TagMatcher.CancelOutcome.NotFound(context));
  }

  @Test
  void shouldEndTheReceiveWhenItsSenderClosesHalfWay() {
    Side near = open("local", "near", 64);
    Side far = open("local", "far", 64);
    int peer = near.indexOf(far);
    far.post(far.indexOf(near), LONG, 5, 0);
    near.send(peer, new byte[LONG], 5);
    awaitSomeData(near, peer);

    Endpoint.Closed closed = get(near.endpoint.close(Duration.ZERO));

    assertThat(closed.undeliveredSends()).isEqualTo(1);
    Completion.Failed received = failed(far.endpoint.receiveQueue().readBlocking(PATIENCE));
    assertThat(received.error()).isEqualTo(FabricError.SHUTDOWN);
    assertThat(received.detail()).startsWith("peer [near@akka://near] lost: ");
    assertNothingIsLeft(far);
  }

  @Test
  void shouldEndBothSidesWhenTheyLoseEachOtherInMidWindow() {
    Side near = open("lossy", "near", 64);
    Side far = open("lossy", "far", 64);
    int peer = near.indexOf(far);
    int back = far.indexOf(near);
    far.post(back, LONG, 5, 0);
    near.send(peer, new byte[LONG], 5);
    awaitSomeData(near, peer);

    LossyProvider.cut(true);

    Completion.Failed sent = failed(near.endpoint.transmitQueue().readBlocking(PATIENCE));
    assertThat(sent.error()).isEqualTo(FabricError.TIMED_OUT);
    assertThat(sent.peer()).isEqualTo(peer);
    assertThat(sent.detail()).startsWith("peer [far@akka://far] lost: ");
    Completion.Failed received = failed(far.endpoint.receiveQueue().readBlocking(PATIENCE));
    assertThat(received.error()).isEqualTo(FabricError.TIMED_OUT);
    assertThat(received.peer()).isEqualTo(back);
    assertThat(received.detail()).startsWith("peer [near@akka://near] lost: ");
    assertNothingIsLeft(far);
  }

  @Test
  void shouldEndTheSendsWhenAReceiverWithTenThousandUnexpectedIsLost() {
    int count = 10_000;
    Side near = open("lossy", "near", 1 << 14);
    Side far = open("lossy", "far", 1 << 14);
    int peer = near.indexOf(far);
    for (int i = 0; i < count; i++) {
      near.send(peer, new byte[1_000], i, CompletionLevel.TRANSMIT);
    }
    await("all wait there", () -> state(far).unexpectedMessages() == count);
    long held = state(far).unexpectedBytes();
    assertThat(held).isPositive().isLessThanOrEqualTo(4 << 20);
    await("the eager ones are sent", () -> near.poll() >= 0 && near.sent.size() >= held / 1_000);

    LossyProvider.cut(true);
    await("all sends have ended", () -> near.poll() >= 0 && near.sent.size() == count);

    List<Completion> failures =
        near.sent.stream().filter(each -> each instanceof Completion.Failed).toList();
    assertThat(failures).hasSize(count - (int) (held / 1_000));
    assertThat(failures)
        .allSatisfy(
            each -> {
              assertThat(failed(each).error()).isEqualTo(FabricError.TIMED_OUT);
              assertThat(failed(each).peer()).isEqualTo(peer);
              assertThat(failed(each).detail()).startsWith("peer [far@akka://far] lost: ");
            });
  }

  @Test
  void shouldKeepWithinTheBudgetAndReceiveInOrderWhenNobodyReceivesForLong() {
    int count = 100_000;
    int budget = 1 << 20;
    FlowSettings flow =
        RecordCopy.with(
            Fabric.get(base()).endpointDefaults().flow(), "unexpectedBudgetBytes", (long) budget);
    Side near = open("local", "near", 1 << 17, flow);
    Side far = open("local", "far", 1 << 17, flow);
    int peer = near.indexOf(far);
    for (int i = 0; i < count; i++) {
      near.send(peer, Side.pattern(32, i), i);
    }
    await(
        "the sender is out of credit",
        () -> state(far).unexpectedMessages() == flow.messageCredits());
    assertThat(state(far).unexpectedBytes()).isEqualTo(budget);

    for (int i = 0; i < count; i++) {
      far.post(-1, 32, 0, -1L);
    }
    await("all have come", () -> far.poll() >= 0 && far.received.size() == count);

    assertThat(state(far).peakUnexpectedBytes()).isEqualTo(budget);
    assertNothingIsLeft(far);
    long[] sums = new long[2];
    for (int i = 0; i < count; i++) {
      Completion.Received received = (Completion.Received) far.received.get(i);
      assertThat((byte[]) received.context()).isEqualTo(Side.pattern(32, received.tag()));
      sums[0] += received.tag();
      sums[1] += i;
    }
    assertThat(sums[0]).as("each came once").isEqualTo(sums[1]);
  }

  private ActorSystem<Void> base() {
    ActorSystem<Void> system = ContractSystems.start("local", "base", "");
    systems.add(system);
    return system;
  }

  @Test
  void shouldSayWhenThereIsNoFlowToCount() {
    Side near = open("local", "near", 64);

    assertThat(near.endpoint.flowCounters(3).toCompletableFuture())
        .failsWithin(PATIENCE)
        .withThrowableThat()
        .havingCause()
        .isInstanceOf(FabricException.class)
        .withMessage("peer=3 has no flow here yet");
  }
}
