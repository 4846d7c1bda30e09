package io.tagfabric.flow.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.cluster.settings.RecordCopy;
import io.tagfabric.flow.SmallFlows;
import org.junit.jupiter.api.Test;

class PeerWatchTest {
  private static final long MS = 1_000_000L;
  private static final long PING_NS = 10 * MS;
  private static final long MAX_PING_NS = 1_000 * MS;
  private static final FlowSettings SETTINGS =
      RecordCopy.with(SmallFlows.SETTINGS, "pingNs", PING_NS, "maxPingNs", MAX_PING_NS);

  private long nowNs = 5_000 * MS;
  private final PeerWatch watch = new PeerWatch(() -> nowNs, SETTINGS, false);

  private boolean replayAfter(long ns) {
    nowNs += ns;
    watch.heard();
    return watch.startReplay();
  }

  @Test
  void shouldReplayOnceHoweverManyReportsComeInOneRoundTrip() {
    assertThat(replayAfter(0)).isTrue();
    assertThat(replayAfter(0)).isFalse();
    assertThat(replayAfter(PING_NS - 1)).isFalse();
    assertThat(replayAfter(1)).isTrue();
    assertThat(replayAfter(PING_NS / 2)).as("the distance counts from the last replay").isFalse();
  }

  @Test
  void shouldWaitAMeasuredRoundTripBeforeItReplaysAgain() {
    watch.sent(1, true);
    nowNs += 3 * PING_NS;
    watch.heard();
    watch.acknowledged(1);

    assertThat(watch.startReplay()).isTrue();
    assertThat(replayAfter(3 * PING_NS - 1)).isFalse();
    assertThat(replayAfter(1)).isTrue();
  }

  @Test
  void shouldReplayNothingOverAReliableChannel() {
    PeerWatch reliable = new PeerWatch(() -> nowNs, SETTINGS, true);
    nowNs += MAX_PING_NS;

    assertThat(reliable.startReplay()).isFalse();
  }

  @Test
  void shouldAskAtDoublingDistanceUpToTheLongest() {
    watch.watch(true);
    long distanceNs = PING_NS;
    for (int i = 0; i < 10; i++) {
      assertThat(watch.pingAtNs()).isEqualTo(nowNs + distanceNs);
      nowNs += distanceNs;
      watch.asked(nowNs);
      distanceNs = Math.min(2 * distanceNs, MAX_PING_NS);
    }
  }

  @Test
  void shouldCountNoLongerSilenceThanThisSideHasLooked() {
    watch.watch(true);
    nowNs += 100 * MAX_PING_NS;
    assertThat(watch.silenceNs(nowNs)).isEqualTo(2 * MAX_PING_NS);
    nowNs += PING_NS;
    assertThat(watch.silenceNs(nowNs)).isEqualTo(2 * MAX_PING_NS + PING_NS);
    watch.heard();
    assertThat(watch.silenceNs(nowNs)).isZero();
  }

  @Test
  void shouldNotCountAsSilenceThatAQuestionWaitsForItsTurn() {
    watch.watch(true);
    nowNs += PING_NS;
    watch.asked(nowNs);
    nowNs += 2 * PING_NS;
    assertThat(watch.pingAtNs()).as("due").isEqualTo(nowNs);

    for (int i = 0; i < 20; i++) {
      nowNs += MAX_PING_NS;
      watch.heldBack(nowNs);
    }

    assertThat(watch.pingAtNs()).as("still due").isLessThan(nowNs);
    assertThat(watch.silenceNs(nowNs)).as("until it was due").isEqualTo(3 * PING_NS);
    watch.asked(nowNs);
    nowNs += PING_NS;
    assertThat(watch.silenceNs(nowNs)).as("asked again").isEqualTo(4 * PING_NS);
  }
}
