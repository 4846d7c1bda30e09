package io.tagfabric.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.access.RemoteRegion;
import io.tagfabric.link.Posted;
import io.tagfabric.link.send.SendOptions;
import io.tagfabric.memory.Region;
import io.tagfabric.memory.RegionReach;
import io.tagfabric.memory.RegionRight;
import io.tagfabric.simulation.world.SimulatedSystems;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class SimulatedFabricTest {
  private static final SimulatedSystems SYSTEMS = new SimulatedSystems(ConfigFactory.empty());
  private static final Duration SECOND = Duration.ofSeconds(1);

  @AfterAll
  static void closeSystems() {
    SYSTEMS.close();
  }

  /** Two nodes that know each other. */
  private static SimulatedFabric pair(long seed, boolean reliable) {
    SimulatedFabric fabric = SimulatedFabric.of(seed, SYSTEMS, reliable);
    SimulatedNode ada = fabric.open("ada");
    SimulatedNode bob = fabric.open("bob");
    assertThat(ada.domain().addressVector().insert(bob.address())).isZero();
    assertThat(bob.domain().addressVector().insert(ada.address())).isZero();
    return fabric;
  }

  private static CompletableFuture<TaggedMessage> receive(SimulatedNode node, long tag) {
    node.touch();
    return node.endpoint().futures().receiveTagged(TagSelector.exact(tag)).toCompletableFuture();
  }

  private static CompletableFuture<?> send(SimulatedNode node, int bytes, long tag) {
    node.touch();
    return node.endpoint().futures().sendTagged(0, new byte[bytes], tag).toCompletableFuture();
  }

  private static void tell(SimulatedNode node, int bytes, long tag) {
    assertThat(send(node, bytes, tag)).isNotCompletedExceptionally();
  }

  @Test
  void shouldBringAMessageInVirtualTime() {
    try (SimulatedFabric fabric = pair(1, true)) {
      fabric.link("ada", "bob").latency(3_000_000, 0);
      CompletableFuture<TaggedMessage> received = receive(fabric.node("bob"), 7);
      tell(fabric.node("ada"), 20_000, 7);

      assertThat(fabric.runUntil(received::isDone, SECOND)).isTrue();
      assertThat(received.join().payload().length()).isEqualTo(20_000);
      // there, back, and there again at least
      assertThat(fabric.now()).isBetween(Duration.ofMillis(6), Duration.ofMillis(100));
    }
  }

  @Test
  void shouldEndAWaitOnADomainWithoutAnybodyElseMovingIt() {
    try (SimulatedFabric fabric = pair(2, true)) {
      CompletableFuture<TaggedMessage> received = receive(fabric.node("bob"), 1);
      tell(fabric.node("ada"), 10, 1);

      assertThat(received.join().payload().length()).isEqualTo(10);
    }
  }

  @Test
  void shouldHoldWhatALinkCarriesUntilItIsReleased() {
    try (SimulatedFabric fabric = pair(3, true)) {
      CompletableFuture<TaggedMessage> first = receive(fabric.node("bob"), 1);
      tell(fabric.node("ada"), 10, 1);
      fabric.runUntil(first::isDone, SECOND);
      CompletableFuture<TaggedMessage> second = receive(fabric.node("bob"), 2);
      fabric.hold("ada", "bob");
      tell(fabric.node("ada"), 10, 2);
      fabric.advance(SECOND);

      assertThat(second).isNotDone();
      fabric.release("ada", "bob");
      assertThat(fabric.runUntil(second::isDone, SECOND)).isTrue();
    }
  }

  /** Akka keeps a domain's loop as long as the system, which many runs share. */
  @Test
  void shouldLeaveNoTimerOfANodeThatCrashes() {
    SimulatedFabric fabric = pair(9, false);
    SimulatedNode ada = fabric.node("ada");
    fabric.hold("ada", "bob");
    tell(ada, 10, 1);
    fabric.advance(SECOND);
    assertThat(ada.domain().loop().timers().isEmpty()).as("it greets again").isFalse();
    fabric.crash("ada");
    fabric.close();

    assertThat(ada.domain().loop().timers().isEmpty()).isTrue();
  }

  @Test
  void shouldLosePacketsOverACutAndReplayThemWhenItHeals() {
    try (SimulatedFabric fabric = pair(4, false)) {
      CompletableFuture<TaggedMessage> first = receive(fabric.node("bob"), 1);
      tell(fabric.node("ada"), 10, 1);
      fabric.runUntil(first::isDone, SECOND);
      fabric.partition("ada");
      CompletableFuture<TaggedMessage> second = receive(fabric.node("bob"), 2);
      tell(fabric.node("ada"), 10, 2);
      fabric.advance(SECOND);

      assertThat(second).isNotDone();
      fabric.heal();
      assertThat(fabric.runUntil(second::isDone, SECOND)).isTrue();
    }
  }

  @Test
  void shouldFailOperationsWithANodeThatHasCrashedAndLetItComeAgain() {
    try (SimulatedFabric fabric = pair(5, true)) {
      CompletableFuture<TaggedMessage> first = receive(fabric.node("bob"), 1);
      tell(fabric.node("ada"), 10, 1);
      fabric.runUntil(first::isDone, SECOND);
      SimulatedNode before = fabric.node("bob");
      fabric.crash("bob");
      CompletableFuture<?> lost = send(fabric.node("ada"), 100_000, 2);

      assertThat(fabric.runUntil(lost::isDone, SECOND)).isTrue();
      assertThat(lost).isCompletedExceptionally();
      SimulatedNode again = fabric.open("bob");
      assertThat(again.address().isSameEndpoint(before.address())).isFalse();
      assertThat(again.address().incarnation()).isNotEqualTo(before.address().incarnation());
    }
  }

  @Test
  void shouldBeQuietWhenNothingIsLeftToDo() {
    try (SimulatedFabric fabric = pair(6, false)) {
      CompletableFuture<TaggedMessage> received = receive(fabric.node("bob"), 1);
      tell(fabric.node("ada"), 50_000, 1);
      fabric.runUntil(received::isDone, SECOND);

      assertThat(fabric.runUntilQuiet(Duration.ofMinutes(1))).isTrue();
      assertThat(fabric.network().underWay()).isZero();
    }
  }

  @Test
  void shouldLetAPeerAccessARegionInFabricMemoryDirectly() {
    try (SimulatedFabric fabric = pair(1, true)) {
      SimulatedNode ada = fabric.node("ada");
      SimulatedNode bob = fabric.node("bob");
      CompletableFuture<TaggedMessage> received = receive(bob, 7);
      tell(ada, 10, 7);
      assertThat(fabric.runUntil(received::isDone, SECOND)).isTrue();
      MutableDirectBuffer memory = bob.domain().allocate(64).buffer();
      Region region = bob.domain().register(memory, RegionRight.all());
      fabric.hold("ada", "bob");

      UnsafeBuffer bytes = new UnsafeBuffer(new byte[] {5});
      RemoteRegion there = new RemoteRegion(0, region.descriptor());
      Posted posted =
          ada.endpoint().memory().write(there, 63, bytes, 0, 1, SendOptions.DEFAULT, "context");

      assertThat(posted).isEqualTo(Posted.POSTED);
      assertThat(region.reach()).isEqualTo(RegionReach.DIRECT);
      assertThat(memory.getByte(63)).isEqualTo((byte) 5);
    }
  }
}
