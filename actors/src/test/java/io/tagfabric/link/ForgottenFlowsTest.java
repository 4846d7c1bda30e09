package io.tagfabric.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.error.FabricError;
import io.tagfabric.flow.Flow;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What an endpoint keeps of flows that have ended. */
class ForgottenFlowsTest extends CoreSides {
  private static final int MANY = 3 * FlowTable.ENDED_KEPT;

  private final List<Integer> peers = new ArrayList<>();
  private final List<Side> sides = new ArrayList<>();

  /** Opens a flow to one more peer. */
  private Side open() {
    Side b = new Side("b" + sides.size(), JOB, 1);
    sides.add(b);
    int peer = a.insert(b);
    peers.add(peer);
    connect(a, peer);
    a.deliver();
    b.deliver();
    a.deliver();
    assertThat(outcomes).last().isEqualTo("open");
    return b;
  }

  /** The peer ends the flow and says so. */
  private void leave(Side b) {
    b.core.beginClose();
    b.core.sayGoodbye();
    b.deliver();
    a.deliver();
    assertThat(a.core.reaches(peers.get(sides.indexOf(b)))).isFalse();
  }

  private void giveUp(int peer) {
    a.core.peerGone(peer, FabricError.CONNECTION_RESET, "gone");
  }

  private long bytesReceived() {
    return a.core.flows().stream()
            .mapToLong(flow -> flow.counters().snapshot().bytesReceived())
            .sum()
        + a.core.forgottenFlows().bytesReceived();
  }

  @Test
  void shouldKeepTheLastOfThoseWhosePeerHasLeft() {
    Side lives = open();
    for (int i = 0; i < MANY; i++) {
      leave(open());
    }
    long received = bytesReceived();
    sleep(1_000);

    List<Flow> kept = a.core.flows();
    assertThat(kept).hasSize(1 + FlowTable.ENDED_KEPT);
    assertThat(kept.get(0).address()).isEqualTo(lives.address);
    assertThat(kept.get(0).isLost()).isFalse();
    assertThat(kept.get(FlowTable.ENDED_KEPT).peer()).isEqualTo(peers.get(MANY));
    assertThat(received).isPositive().isEqualTo(bytesReceived());
    assertThat(a.core.reaches(peers.get(0))).isTrue();
  }

  @Test
  void shouldTellWhomItHasGivenUpHoweverManyCameLater() {
    Side first = open();
    giveUp(peers.get(0));
    for (int i = 0; i < MANY; i++) {
      leave(open());
    }
    sleep(1_000);
    assertThat(state(first)).isNotNull();
    assertThat(first.core.flows().get(0).isLost()).isFalse();
    first.other = a;
    a.other = first;

    first.core.sayGoodbye();
    first.deliver();
    a.deliver();

    assertThat(first.core.flows().get(0).isLost()).as("it has heard of the end").isTrue();
  }

  @Test
  void shouldForgetThoseItHasGivenUpWithTheirAddresses() {
    for (int i = 0; i < MANY; i++) {
      open();
      giveUp(peers.get(i));
    }
    sleep(1_000);
    assertThat(a.core.flows()).hasSize(MANY);

    peers.forEach(a.addresses::remove);
    open();
    sleep(1_000);

    assertThat(a.core.flows()).hasSize(1 + FlowTable.ENDED_KEPT);
  }

  @Test
  void shouldForgetThoseItHasGivenUpOnceTheirChannelsClose() {
    for (int i = 0; i < MANY; i++) {
      open();
      giveUp(peers.get(i));
    }
    a.channelClosed = "it is";
    a.desk.onChannelClosed();
    sleep(1_000);

    assertThat(a.core.flows()).hasSize(FlowTable.ENDED_KEPT);
  }

  @Test
  void shouldForgetWhyAPeerIsLostWithItsAddress() {
    open();
    giveUp(peers.get(0));
    connect(a, peers.get(0));
    assertThat(outcomes).last().asString().contains("CONNECTION_RESET", "gone");

    a.addresses.remove(peers.get(0));
    connect(a, peers.get(0));

    assertThat(outcomes).last().asString().contains("is not in the address vector");
  }
}
