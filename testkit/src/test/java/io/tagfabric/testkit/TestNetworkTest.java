package io.tagfabric.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.link.send.TaggedSend;
import io.tagfabric.match.TaggedReceive;
import io.tagfabric.tag.TagSelector;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

@FabricTest(endpoints = {"a", "b", "c"})
class TestNetworkTest {
  private static final Duration SHORT = Duration.ofMillis(50);

  private static CompletionStage<Completion.Sent> delivered(
      TestFabric fabric, Endpoint from, String to) {
    return from.futures()
        .start(
            TaggedSend.of(fabric.peer(to), new UnsafeBuffer(new byte[8]), 7)
                .level(CompletionLevel.TRANSMIT));
  }

  @Test
  void shouldHoldAWayAndReleaseItInOrder(TestNetwork network, TagProbe a, TagProbe b, TagProbe c) {
    a.send("b", 1, "first");
    b.expectTagged(1, "first");
    network.hold("a", "b");
    a.send("b", 1, "second");
    a.send("b", 1, "third");
    a.send("c", 1, "other way");

    c.expectTagged(1, "other way");
    b.expectNoMessage(SHORT);
    assertThat(network.heldPackets("a", "b")).isPositive();

    network.release("a", "b");
    b.expectTagged(1, "second", "third");
    assertThat(network.heldPackets("a", "b")).isZero();
  }

  @Test
  void shouldHoldOneWayAlone(TestNetwork network, TagProbe a, TagProbe b) {
    a.send("b", 1, "one");
    b.expectTagged(1);
    network.holdOneWay("b", "a");

    a.send("b", 2, "there");
    b.send("a", 3, "back");
    b.expectTagged(2, "there");
    a.expectNoMessage(SHORT);

    network.release("a", "b");
    a.expectTagged(3, "back");
  }

  @Test
  void shouldDeliverOnceAfterAPartitionHasHealed(
      TestFabric fabric, TestNetwork network, TagProbe a, TagProbe b) {
    network.partition("a", "b");
    var sent = delivered(fabric, a.endpoint(), "b");
    b.expectNoMessage(SHORT);
    assertThat(sent.toCompletableFuture()).isNotDone();

    network.heal();
    assertThat(fabric.await(sent).length()).isEqualTo(8);
    b.expectTagged(7);
    b.expectNoMessage(SHORT);
  }

  @Test
  void shouldPartitionSides(TestNetwork network, TagProbe a, TagProbe b, TagProbe c) {
    network.partition(List.of("a"), List.of("b", "c"));
    a.send("b", 1, "no");
    a.send("c", 1, "no");
    b.send("c", 1, "yes");
    c.expectTagged(1, "yes");
    b.expectNoMessage(SHORT);
    c.expectNoMessage(SHORT);

    network.heal("a", "b");
    b.expectTagged(1, "no");
    c.expectNoMessage(SHORT);
    network.heal();
    c.expectTagged(1, "no");
  }

  @FabricTest(settings = "tagfabric.flow.peer-timeout = 200 ms")
  @Test
  void shouldLoseAPeerThatIsPartitionedForTooLong(TestFabric fabric, TagProbe a, TagProbe b) {
    a.send("b", 1, "one");
    b.expectTagged(1);
    fabric.network().partition("a", "b");

    assertThatThrownBy(() -> fabric.await(delivered(fabric, a.endpoint(), "b")))
        .isInstanceOfSatisfying(
            FabricException.class, e -> assertThat(e.error()).isEqualTo(FabricError.TIMED_OUT));
  }

  @Test
  void shouldLetPeersNoticeACrash(TestFabric fabric, TestNetwork network, TagProbe a, TagProbe b) {
    a.send("b", 1, "one");
    b.expectTagged(1);
    var receive = b.endpoint().futures().receiveTagged(TagSelector.exact(2).from(fabric.peer("a")));
    var own = a.endpoint().futures().receiveTagged(TagSelector.exact(3));
    network.crash("a");

    assertThatThrownBy(() -> fabric.await(receive))
        .isInstanceOfSatisfying(
            FabricException.class,
            e -> assertThat(e.error()).isEqualTo(FabricError.CONNECTION_RESET))
        .hasMessageContaining("the peer's node has crashed");
    assertThatThrownBy(() -> fabric.await(own)).hasMessageContaining("closed");
  }

  @Test
  void shouldLoseWhatIsUnderWayWhenItsSenderCrashes(TestNetwork network, TagProbe a, TagProbe b) {
    a.send("b", 1, "one");
    b.expectTagged(1);
    network.hold("a", "b");
    a.send("b", 2, "lost");
    network.crash("a");
    network.release("a", "b");

    b.expectNoMessage(SHORT);
  }

  @Test
  void shouldHideACrashBehindAPartition(
      TestFabric fabric, TestNetwork network, TagProbe a, TagProbe b) {
    a.send("b", 1, "one");
    b.expectTagged(1);
    var receive =
        b.endpoint()
            .futures()
            .receive(TaggedReceive.of(TagSelector.exact(2).from(fabric.peer("a"))), "r");
    network.partition("a", "b");
    network.crash("a");
    b.expectNoMessage(SHORT);
    assertThat(receive.toCompletableFuture()).isNotDone();

    network.heal("a", "b");
    assertThatThrownBy(() -> fabric.await(receive))
        .isInstanceOfSatisfying(
            FabricException.class,
            e -> assertThat(e.error()).isEqualTo(FabricError.CONNECTION_RESET));
  }

  @Test
  void shouldHideACloseBehindAPartition(
      TestFabric fabric, TestNetwork network, TagProbe a, TagProbe b) {
    a.send("b", 1, "one");
    b.expectTagged(1);
    var receive = b.endpoint().futures().receiveTagged(TagSelector.exact(2).from(fabric.peer("a")));
    network.partition("a", "b");
    fabric.await(a.endpoint().close(Duration.ZERO));
    b.expectNoMessage(SHORT);
    assertThat(receive.toCompletableFuture()).isNotDone();

    network.heal("a", "b");
    assertThatThrownBy(() -> fabric.await(receive))
        .isInstanceOfSatisfying(
            FabricException.class, e -> assertThat(e.error()).isEqualTo(FabricError.SHUTDOWN));
  }

  @Test
  void shouldOpenAnotherEndpointInPlaceOfOneThatHasCrashed(
      TestFabric fabric, TestNetwork network, TagProbe a, TagProbe b) {
    a.send("b", 1, "one");
    b.expectTagged(1);
    Endpoint old = b.endpoint();

    Endpoint opened = network.bounce("b");

    assertThat(opened).isSameAs(fabric.endpoint("b")).isNotSameAs(old);
    a.send("b", 2, "two");
    fabric.probe("b").expectTagged(2, "two");
  }

  @Test
  void shouldDropAndDoubleWithoutHarm(
      TestFabric fabric, TestNetwork network, TagProbe a, TagProbe b) {
    network.drop(0.3);
    network.duplicate(0.3);
    for (int i = 0; i < 50; i++) {
      a.send("b", 1, "m" + i);
      b.expectTagged(1, "m" + i);
    }

    var counters = fabric.await(b.endpoint().flowCounters(fabric.peer("a")));
    assertThat(counters.packetsDuplicate()).isPositive();
    assertThat(fabric.await(a.endpoint().flowCounters(fabric.peer("b"))).packetsReplayed())
        .isPositive();
  }

  @Test
  void shouldRefuseNamesAndSharesThatAreNone(TestNetwork network) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> network.hold("a", "x"))
        .withMessage("no endpoint [x], there are [a, b, c], name it in endpoints");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> network.drop(1.5))
        .withMessage("drop=1.5 is not within 0 to 1");
  }
}
