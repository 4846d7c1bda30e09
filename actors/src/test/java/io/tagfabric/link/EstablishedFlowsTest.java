package io.tagfabric.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.error.FabricError;
import io.tagfabric.flow.Flow;
import io.tagfabric.flow.FlowState;
import io.tagfabric.wire.FlowKey;
import io.tagfabric.wire.MessageViews;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** What comes late, or from somebody else, for flows that are open; and when the clock calls. */
class EstablishedFlowsTest extends CoreSides {
  private final UnsafeBuffer message = new UnsafeBuffer(new byte[8]);

  private int open(Side b) {
    int peer = a.insert(b);
    connect(a, peer);
    a.deliver();
    b.deliver();
    a.deliver();
    b.deliver();
    return peer;
  }

  @Test
  void shouldDropAHelloThatIsOlderThanTheLast() {
    Side b = new Side("b", JOB, 1);
    int first = a.insert(b);
    connect(a, first);
    a.core.flush();
    byte[] older = a.onTheWay.remove(0);
    a.core.peerGone(first, FabricError.CONNECTION_RESET, "gone");
    a.addresses.remove(first);
    open(b);
    assertThat(state(b)).isEqualTo(FlowState.OPEN);
    b.core.flush();
    b.onTheWay.clear();

    b.hear(older);
    b.core.flush();

    assertThat(b.onTheWay).as("nobody answers it").isEmpty();
    assertThat(b.core.strangers()).isEqualTo(1);
    assertThat(b.reports).last().asString().contains("older than its last");
    assertThat(b.core.flows()).hasSize(1).extracting(Flow::state).containsOnly(FlowState.OPEN);
  }

  @Test
  void shouldTakeNoShortMessageWhoseKeyIsNotThatOfTheFlow() {
    Side b = new Side("b", JOB, 1);
    open(b);
    int isolation = b.core.isolation();
    long key = FlowKey.of(b.core.flows().get(0).id(), isolation, a.address.incarnation());

    b.desk.onInjected(key ^ 1L << 40, MessageViews.of(7, message, 0, 8));
    assertThat(b.receives.state().unexpectedMessages()).isZero();
    b.desk.onInjected(key, MessageViews.of(7, message, 0, 8));
    b.desk.onInjected(key, MessageViews.of(8, message, 0, 8));
    assertThat(b.receives.state().unexpectedMessages()).isEqualTo(2);
    b.desk.onInjected(key ^ 1L << 40, MessageViews.of(7, message, 0, 8));
    b.desk.onInjected(key + 1, MessageViews.of(7, message, 0, 8));

    assertThat(b.receives.state().unexpectedMessages()).isEqualTo(2);
    assertThat(b.core.strangers()).isEqualTo(3);
  }

  @Test
  void shouldIgnoreARefusalThatComesAfterTheWelcome() {
    Side b = new Side("b", JOB, 1);
    Side refusing = new Side("b", JOB, 2);
    connect(a, a.insert(b));
    refusing.other = a;
    a.core.flush();
    List<byte[]> hello = List.copyOf(a.onTheWay);
    a.onTheWay.clear();
    hello.forEach(b::hear);
    hello.forEach(refusing::hear);
    b.deliver();
    assertThat(state(a)).isEqualTo(FlowState.OPEN);
    assertThat(refusing.onTheWay).hasSize(1);

    refusing.deliver();

    assertThat(state(a)).isEqualTo(FlowState.OPEN);
    assertThat(outcomes).containsExactly("open");
    assertThat(a.warnings).isEmpty();
  }

  @Test
  void shouldTakeNoBytesOfAFlowFromAnotherIncarnation() {
    Side b = new Side("b", JOB, 1);
    UnsafeBuffer buffer = new UnsafeBuffer(new byte[500]);
    Flow flow = transferTo(b, buffer);

    forgeData(new Side("bb", JOB, 1), 0, 50);

    assertThat(buffer.byteArray()).containsOnly(0);
    assertThat(a.core.strangers()).isEqualTo(1);
    assertThat(flow.state()).isEqualTo(FlowState.OPEN);
  }

  @Test
  void shouldSendNothingToAnIndexOnceItsAddressIsRemoved() {
    int peer = open(new Side("b", JOB, 1));
    assertThat(a.core.inject(peer, MessageViews.of(1, message, 0, 8))).isTrue();

    a.addresses.remove(peer);

    assertThat(a.core.inject(peer, MessageViews.of(1, message, 0, 8))).isFalse();
    connect(a, peer);
    assertThat(outcomes).hasSize(2).last().asString().contains("is not in the address vector");
  }

  @Test
  void shouldSayWhyAPeerIsLostToWhoHasJustSentToIt() {
    int peer = open(new Side("b", JOB, 1));
    assertThat(a.core.inject(peer, MessageViews.of(1, message, 0, 8))).isTrue();

    a.core.peerGone(peer, FabricError.CONNECTION_RESET, "its node is gone");

    assertThat(a.core.inject(peer, MessageViews.of(1, message, 0, 8))).isFalse();
    connect(a, peer);
    assertThat(outcomes)
        .hasSize(2)
        .last()
        .asString()
        .contains("CONNECTION_RESET", "its node is gone");
  }

  @Test
  void shouldAskASilentPeerInItsTimeAlthoughAnotherIsAskedLater() {
    Side b = new Side("b", JOB, 1);
    int toB = open(b);
    int toC = open(new Side("c", JOB, 1));
    a.cut = true;
    assertThat(a.core.inject(toB, MessageViews.of(1, message, 0, 8))).isTrue();
    a.core.flush();
    sleep(1_000);
    // right after b was asked, which is asked every 100 ms by now
    int asked = a.offeredMs.size();
    while (a.offeredMs.size() == asked) {
      sleep(1);
    }
    a.offeredMs.clear();
    assertThat(a.core.inject(toC, MessageViews.of(1, message, 0, 8))).isTrue();
    a.core.flush();
    assertThat(a.offeredMs).as("the message").hasSize(1);

    sleep(20);

    assertThat(a.offeredMs).as("the message and questions").hasSizeGreaterThan(1);
  }

  @Test
  void shouldHaveOneTimerHoweverManyFlowsAreTimed() {
    int toB = open(new Side("b", JOB, 1));
    int toC = open(new Side("c", JOB, 1));
    a.cut = true;
    for (int i = 0; i < 8; i++) {
      assertThat(a.core.inject(i % 2 == 0 ? toB : toC, MessageViews.of(1, message, 0, 8))).isTrue();
      a.core.flush();
      fire(150);
    }

    assertThat(fire(1_000)).as("two peers asked every 100 ms").isGreaterThanOrEqualTo(10);
  }

  /** Lets time pass and returns how often a timer fired, which is not often. */
  private int fire(long ms) {
    long endNs = nowNs + ms * MS;
    int fired = 0;
    while (timers.nextDeadlineNs() <= endNs) {
      nowNs = Math.max(nowNs, timers.nextDeadlineNs());
      fired += timers.poll(nowNs);
      assertThat((long) fired).as("timers that fired in %s ms", ms).isLessThan(20 + ms / 20);
    }
    nowNs = endNs;
    return fired;
  }
}
