package io.tagfabric.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.link.send.TaggedSend;
import io.tagfabric.match.StreamEnd;
import io.tagfabric.tag.TagSelector;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class LeaksTest {
  private final TestFabric fabric = TestFabric.of("a", "b");

  private void assertLeaks(String... lines) {
    assertThatThrownBy(fabric::close)
        .isInstanceOf(AssertionError.class)
        .hasMessage("the test has left behind:\n  " + String.join("\n  ", lines));
    assertClosed();
  }

  private void assertClosed() {
    assertThat(fabric.fabric().domains()).isEmpty();
    assertThat(fabric.system().getWhenTerminated().toCompletableFuture()).isDone();
  }

  @Test
  void shouldCloseEverything() {
    fabric.probe("a").send("b", 1, "one");
    fabric.probe("b").expectTagged(1);
    fabric.close();
    assertClosed();
    fabric.close(); // once more does nothing
  }

  @Test
  void shouldNameMessagesThatNobodyReceived() {
    fabric.probe("a").send("b", 1, "one");
    fabric.probe("a").send("b", 2, new byte[1 << 20]);

    assertLeaks(
        "message at b that nobody received: tag 0x1 from a, 3 B",
        "message at b that nobody received: tag 0x2 from a, 1048576 B",
        "sends of a that had not ended: 1");
  }

  @Test
  void shouldNotNameTheEndOfAStream() {
    fabric.await(
        fabric
            .endpoint("a")
            .futures()
            .start(
                TaggedSend.of(fabric.peer("b"), new UnsafeBuffer(new byte[0]), 1)
                    .data(StreamEnd.COMPLETED.data())));
    fabric.await(
        () -> fabric.await(fabric.endpoint("b").futures().matcherState()).unexpectedMessages() == 1,
        "the end waits");

    fabric.close();

    assertClosed();
  }

  @Test
  void shouldNameReceivesThatHaveNotEnded() {
    fabric.endpoint("a").futures().receiveTagged(TagSelector.masked(0x100, 0xff));
    fabric.endpoint("b").postReceive(java.nio.ByteBuffer.allocateDirect(8), 5, 0, "context");

    assertLeaks(
        "receive at a that has not ended: tag 0x100 ignore 0xff from any",
        "receive at b that has not ended: tag 0x5 from any");
  }

  @Test
  void shouldNameSendsThatHaveNotEnded() {
    fabric.network().partition("a", "b");
    fabric
        .endpoint("a")
        .futures()
        .start(
            TaggedSend.of(fabric.peer("b"), new UnsafeBuffer(new byte[8]), 1)
                .level(CompletionLevel.TRANSMIT));

    assertLeaks("sends of a that had not ended: 1");
  }

  @Test
  void shouldNameEndpointsAndDomainsThatAreOpen() {
    fabric.fabric().openDomain("own").openEndpoint("forgotten");
    fabric.domain().openEndpoint("another");

    assertLeaks(
        "endpoint [another], which is open",
        "domain [own], which is open",
        "endpoint [forgotten], which is open");
  }

  @Test
  void shouldTellOfPacketsThatAreHeld() {
    fabric.probe("a").send("b", 1, "one");
    fabric.probe("b").expectTagged(1);
    fabric.network().holdOneWay("a", "b");
    fabric.probe("a").send("b", 1, "two");
    fabric.await(() -> fabric.network().heldPackets("a", "b") > 0, "a held packet");

    assertThatThrownBy(fabric::close)
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith(
            "the test has left behind:\n  packets from a to b that are still held: ");
  }
}
