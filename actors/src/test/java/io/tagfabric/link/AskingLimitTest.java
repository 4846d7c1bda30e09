package io.tagfabric.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.cluster.settings.RecordCopy;
import io.tagfabric.flow.Flow;
import io.tagfabric.flow.window.FlowPace;
import io.tagfabric.flow.window.FlowSettings;
import io.tagfabric.wire.MessageViews;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** How many flows of an endpoint ask silent peers at one moment. */
class AskingLimitTest extends CoreSides {
  private static final int PEERS = 7;

  private final UnsafeBuffer message = new UnsafeBuffer(new byte[8]);
  private final List<Integer> peers = new ArrayList<>();

  @Override
  FlowSettings settings() {
    return RecordCopy.with(SETTINGS, "pace", new FlowPace(3, 2, 50 * MS, 1_000 * MS, 0));
  }

  /** Opens a flow to each peer, and sends a message to each that none of them hears. */
  private void sendToSilentPeers() {
    for (int i = 0; i < PEERS; i++) {
      Side peer = new Side("peer" + i, JOB, 1);
      peers.add(a.insert(peer));
      connect(a, peers.get(i));
      a.deliver();
      peer.deliver();
      a.deliver();
      peer.deliver();
    }
    sleep(1_000);
    a.cut = true;
    for (int peer : peers) {
      assertThat(a.core.inject(peer, MessageViews.of(1, message, 0, 8))).isTrue();
    }
  }

  private List<Long> asked() {
    return a.core.flows().stream().map(flow -> flow.counters().snapshot().pingsSent()).toList();
  }

  private long askedWithinAMillisecond() {
    long before = sum(asked());
    sleep(1);
    return sum(asked()) - before;
  }

  private static long sum(List<Long> numbers) {
    return numbers.stream().mapToLong(each -> each).sum();
  }

  @Test
  void shouldAskSoManyAtATimeAndEachInItsTurn() {
    sendToSilentPeers();
    a.core.flush();

    assertThat(askedWithinAMillisecond()).isEqualTo(3);
    assertThat(askedWithinAMillisecond()).isEqualTo(3);
    assertThat(asked()).as("the second three are others").containsOnly(0L, 1L);
    assertThat(askedWithinAMillisecond()).isLessThanOrEqualTo(3);
    assertThat(asked()).as("then the last").doesNotContain(0L);
  }

  @Test
  void shouldKeepTheTurnForHoweverLong() {
    sendToSilentPeers();
    a.core.flush();
    for (int i = 0; i < 500; i++) {
      assertThat(askedWithinAMillisecond()).isLessThanOrEqualTo(3);
    }

    // Asked at once they were asked at 1, 3, 7 ... 63 ms and then every 100 ms.
    assertThat(asked()).allMatch(times -> times >= 7 && times <= 12);
  }

  @Test
  void shouldAskFewerWhileAChannelRefuses() {
    sendToSilentPeers();
    a.full = true;
    a.core.flush();

    assertThat(askedWithinAMillisecond()).isEqualTo(2);
    assertThat(askedWithinAMillisecond()).isEqualTo(2);
    a.full = false;
    a.core.flush();

    assertThat(a.core.flows()).extracting(Flow::isLost).containsOnly(false);
    assertThat(askedWithinAMillisecond()).as("the channel takes all again").isEqualTo(3);
  }
}
