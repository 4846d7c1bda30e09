package io.tagfabric.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.actor.testkit.typed.javadsl.FishingOutcomes;
import akka.util.ByteString;
import io.tagfabric.error.FabricException;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@FabricTest(endpoints = {"alice", "bob"})
class TagProbeTest {
  private static final Duration SHORT = Duration.ofMillis(50);
  private static final Duration LONG = Duration.ofSeconds(10);

  @ParameterizedTest
  @EnumSource
  void shouldTakeWhatIsExpectedAndLeaveTheRest(Face face, TestFabric fabric, TagProbe alice) {
    TagProbe bob = fabric.probe("bob", face);
    alice.send("bob", 1, "one");
    alice.send("bob", 2, "two");
    alice.send("bob", 3, new byte[40_000]);

    assertThat(bob.expectTagged(3).payload().length()).isEqualTo(40_000);
    assertThat(bob.expectTagged(2, ByteString.fromString("two")).source())
        .isEqualTo(fabric.peer("alice"));
    assertThat(bob.expectTagged(TagSelector.any()).tag()).isEqualTo(1);
    bob.expectNoMessage(SHORT);
  }

  @ParameterizedTest
  @EnumSource
  void shouldWaitForWhatComesLater(Face face, TestFabric fabric, TagProbe alice) {
    TagProbe bob = fabric.probe("bob", face);
    fabric.network().hold("alice", "bob");
    alice.send("bob", 1, "one");
    bob.expectNoMessage(SHORT);
    Thread releasing =
        new Thread(() -> fabric.network().release("alice", "bob"), "releases while bob waits");
    releasing.start();

    bob.expectTagged(1, "one");
  }

  @ParameterizedTest
  @EnumSource
  void shouldSayWhatWaitsInstead(Face face, TestFabric fabric, TagProbe alice) {
    TagProbe bob = fabric.probe("bob", face);
    alice.send("bob", 0x2a, "other");
    fabric.await(() -> waitingAt(fabric, "bob") == 1, "the other message");
    fabric.network().hold("alice", "bob");

    assertThatThrownBy(
            () -> bob.expectTagged(TagSelector.exact(7).from(fabric.peer("alice")), SHORT))
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith(
            """
            expected a message at bob with tag 0x7 from alice: none came within 50 ms
            unexpected messages there: 1
              tag 0x2a from alice, 5 B
            posted receives there: none
            network: alice -> bob is held, packets=""");
    fabric.network().release("alice", "bob");
    bob.expectTagged(0x2a);
  }

  private static int waitingAt(TestFabric fabric, String name) {
    return fabric.await(fabric.endpoint(name).futures().waiting()).messages().size();
  }

  @Test
  void shouldCompareBytes(TagProbe alice, TagProbe bob) {
    alice.send("bob", 7, "hello");

    assertThatThrownBy(() -> bob.expectTagged(7, "hullo"))
        .isInstanceOf(AssertionError.class)
        .hasMessage(
            "expected a message at bob with tag 0x7 from any with other bytes, it was from alice"
                + " ==> expected: <\"hullo\"> but was: <\"hello\">");
  }

  @Test
  void shouldExpectSeveralInTheirOrder(TagProbe alice, TagProbe bob) {
    alice.send("bob", 7, "a");
    alice.send("bob", 7, "b");
    alice.send("bob", 7, "c");

    assertThat(bob.expectTagged(7, "a", "b", "c")).hasSize(3);
  }

  @Test
  void shouldAnswerTheSender(TagProbe alice, TagProbe bob) {
    alice.send("bob", 7, "ping");
    TaggedMessage ping = bob.expectTagged(7);
    bob.reply(ping, 8, "pong");

    alice.expectTagged(8, "pong");
  }

  @FabricTest(
      endpoints = {"alice", "bob"},
      settings = "tagfabric.kryo.registrations = [\"io.tagfabric.testkit.TagProbeTest$Order\"]")
  @Test
  void shouldExpectObjects(TestFabric fabric, TagProbe alice, TagProbe bob) {
    Order order = new Order(17, "bolt");
    fabric.await(alice.endpoint().futures().sendObject(fabric.peer("bob"), order, 7));
    fabric.await(alice.endpoint().futures().sendObject(fabric.peer("bob"), order, 7));
    alice.send("bob", 8, "no object");

    assertThat(bob.expectObject(7, order)).isEqualTo(order);
    assertThatThrownBy(() -> bob.expectObject(7, new Order(18, "nut")))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("Order[number=18, item=nut]")
        .hasMessageContaining("Order[number=17, item=bolt]");
    assertThatThrownBy(() -> bob.expectObject(8, Order.class))
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("expected a message at bob with tag 0x8 from any with a ");
  }

  /** Travels as an object. */
  record Order(int number, String item) {}

  @Test
  void shouldRefuseAMessageWhereNoneIsExpected(TagProbe alice, TagProbe bob) {
    alice.send("bob", 7, "hello");

    bob.expectNoMessage(TagSelector.exact(8), SHORT);
    assertThatThrownBy(() -> bob.expectNoMessage(SHORT))
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("expected no message with tag any from any at bob within 50 ms")
        .hasMessageContaining("tag 0x7 from alice, 5 B");
    bob.expectTagged(7, "hello");
  }

  @Test
  void shouldFish(TagProbe alice, TagProbe bob) {
    for (int i = 0; i < 5; i++) {
      alice.send("bob", i, "m" + i);
    }

    List<TaggedMessage> caught =
        bob.fishForMessage(
            LONG,
            message ->
                message.tag() == 3
                    ? FishingOutcomes.complete()
                    : message.tag() % 2 == 0
                        ? FishingOutcomes.continueAndIgnore()
                        : FishingOutcomes.continueAndCollect());

    assertThat(caught).extracting(TaggedMessage::tag).containsExactly(1L, 3L);
    bob.expectTagged(4, "m4");
  }

  @Test
  void shouldSayWhatWasFishedInVain(TagProbe alice, TagProbe bob) {
    alice.send("bob", 1, "one");

    assertThatThrownBy(
            () -> bob.fishForMessage(LONG, message -> FishingOutcomes.fail("not " + message.tag())))
        .isInstanceOf(AssertionError.class)
        .hasMessage("fishing at bob failed: not 1\ntaken: \n  tag 0x1 from alice, 3 B, \"one\"");
    assertThatThrownBy(
            () -> bob.fishForMessage(SHORT, message -> FishingOutcomes.continueAndCollect()))
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("fishing at bob was not complete within 50 ms\ntaken: none");
  }

  @ParameterizedTest
  @EnumSource
  void shouldTellWhatAReceiveFailedWith(Face face, TestFabric fabric, TagProbe alice) {
    TagProbe bob = fabric.probe("bob", face);
    alice.send("bob", 1, "one");
    bob.expectTagged(1);
    fabric.network().crash("alice");

    assertThatThrownBy(() -> bob.expectTagged(TagSelector.exact(2).from(fabric.peer("alice"))))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("the receive failed, CONNECTION_RESET")
        .hasCauseInstanceOf(FabricException.class);
  }

  @Test
  void shouldNotTakeCompletionsOfTheTestForItsOwn(TestFabric fabric, TagProbe alice) {
    TagProbe bob = fabric.probe("bob", Face.DIRECT);
    bob.endpoint().postReceive(java.nio.ByteBuffer.allocateDirect(8), 1, 0, "the test's");
    alice.send("bob", 1, "one");
    fabric.await(() -> !bob.endpoint().receiveQueue().ring().isEmpty(), "the test's completion");
    alice.send("bob", 2, "two");

    assertThatThrownBy(() -> bob.expectTagged(2))
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("the receive queue has the completion of another receive");
  }
}
