package io.tagfabric.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.error.FabricError;
import io.tagfabric.flow.window.FlowCounters;
import io.tagfabric.flow.window.FlowPace;
import io.tagfabric.flow.window.FlowSettings;
import io.tagfabric.flow.window.SizeClasses;
import io.tagfabric.wire.Packet;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a flow says of itself, and what it does at exactly which time. */
class FlowCountersTest {
  private static final long MS = 1_000_000L;
  private static final long SECOND = 1_000 * MS;
  private static final Faults CUT = new Faults(1, 0, 0, 0);
  private static final Faults NO_ROOM = new Faults(0, 0, 0, 1);
  private static final FlowSettings SETTINGS =
      new FlowSettings(
          new SizeClasses(1_000, 0, 128 * 1024, 8),
          Map.of("other", new SizeClasses(2_000, 0, 64 * 1024, 4)),
          10_000,
          1 << 20,
          64,
          16,
          1 << 20,
          8,
          MS / 2,
          100 * MS,
          8,
          30 * SECOND,
          20 * SECOND,
          FlowPace.DEFAULT);

  private final FlowPair lossy = new FlowPair(SETTINGS, false);
  private final FlowPair reliable = new FlowPair(SETTINGS, true);

  private static FlowCounters.Snapshot counters(FlowSide side) {
    return side.flow.counters().snapshot();
  }

  private static void settle(FlowPair pair) {
    pair.until(pair::isQuiet, MS, SECOND);
    pair.until(() -> !pair.b.flow.timer().isNeeded(), MS, SECOND);
    pair.until(pair::isQuiet, MS, SECOND);
  }

  @Test
  void shouldCountMessagesPacketsAndBytes() {
    settle(reliable);
    FlowCounters.Snapshot atA = counters(reliable.a);
    FlowCounters.Snapshot atB = counters(reliable.b);
    for (int i = 0; i < 3; i++) {
      reliable.a.send(100, CompletionLevel.INJECT);
    }
    reliable.pass(MS);
    reliable.a.send(100, CompletionLevel.INJECT);
    settle(reliable);

    FlowCounters.Snapshot a = counters(reliable.a);
    FlowCounters.Snapshot b = counters(reliable.b);
    assertThat(a.eagerMessagesSent() - atA.eagerMessagesSent()).isEqualTo(4);
    assertThat(a.packetsSent() - atA.packetsSent()).as("one, two in one, one").isEqualTo(3);
    assertThat(b.packetsReceived() - atB.packetsReceived()).isEqualTo(3);
    assertThat(b.packetsTaken() - atB.packetsTaken()).isEqualTo(3);
    long headers = 3L * Packet.HEADER_LENGTH;
    assertThat(a.bytesSent() - atA.bytesSent()).isBetween(headers + 400, headers + 400 + 4 * 64);
    assertThat(b.bytesReceived() - atB.bytesReceived()).isEqualTo(a.bytesSent() - atA.bytesSent());
    assertThat(a.packetsReplayed()).isZero();
    assertThat(b.packetsDuplicate()).isZero();
    assertThat(b.packetsEarly()).isZero();
    assertThat(a.pingsSent()).isZero();
  }

  @Test
  void shouldSayHowManyPacketsAFlushHasSent() {
    settle(lossy);
    lossy.a.send(10, CompletionLevel.INJECT);
    assertThat(lossy.a.flow.flush()).isEqualTo(1);
    assertThat(lossy.a.flow.flush()).isZero();

    FlowCounters.Snapshot before = counters(lossy.b);
    lossy.pass(MS);
    lossy.pass(5 * MS);
    lossy.pass(MS);
    long acknowledged = counters(lossy.b).acknowledgementsSent();
    assertThat(acknowledged).as("no packet came by").isGreaterThan(before.acknowledgementsSent());
    lossy.pass(100 * MS);
    assertThat(counters(lossy.b).acknowledgementsSent()).as("once").isEqualTo(acknowledged);
    assertThat(lossy.a.flow.hasPacketsOnTheWay()).isFalse();
  }

  @Test
  void shouldCountWhatComesTwiceAndWhatComesEarly() {
    settle(lossy);
    FlowCounters.Snapshot before = counters(lossy.b);
    lossy.faults(new Faults(0, 1, 0, 0));
    lossy.a.send(10, CompletionLevel.TRANSMIT);
    lossy.pass(MS);
    lossy.pass(MS);
    lossy.faults(Faults.NONE);
    settle(lossy);
    assertThat(counters(lossy.b).packetsDuplicate() - before.packetsDuplicate()).isEqualTo(1);
    assertThat(counters(lossy.b).packetsReceived() - before.packetsReceived()).isEqualTo(2);

    lossy.a.out.faults(CUT);
    lossy.a.send(10, CompletionLevel.TRANSMIT);
    lossy.a.flow.flush();
    lossy.a.out.faults(Faults.NONE);
    SimulatedSend second = lossy.a.send(10, CompletionLevel.TRANSMIT);
    lossy.until(() -> second.completions == 1, MS, SECOND);
    assertThat(counters(lossy.b).packetsEarly() - before.packetsEarly()).isEqualTo(1);
    assertThat(counters(lossy.a).packetsReplayed()).isPositive();
  }

  // ---- the clock ----

  @Test
  void shouldAskAtTheTimeThatItHasNamed() {
    settle(lossy);
    lossy.faults(CUT);
    lossy.a.send(10, CompletionLevel.TRANSMIT);
    lossy.flush();
    long nowNs = lossy.nowNs();
    long delayNs = lossy.a.flow.timer().delayNs(nowNs);
    assertThat(delayNs).isBetween(MS / 2, 100 * MS);

    lossy.a.flow.timer().tick(nowNs + delayNs - 1, false, true);
    assertThat(lossy.a.out.pings()).isZero();
    lossy.a.flow.timer().tick(nowNs + delayNs, false, true);
    assertThat(lossy.a.out.pings()).isEqualTo(1);
    assertThat(counters(lossy.a).pingsSent()).isEqualTo(1);
    assertThat(lossy.a.flow.timer().delayNs(nowNs + delayNs))
        .as("the next time after twice as long")
        .isEqualTo(2 * delayNs);
  }

  @Test
  void shouldLoseNobodyWhomItMayNotAsk() {
    settle(lossy);
    lossy.faults(CUT);
    lossy.a.send(10, CompletionLevel.TRANSMIT);
    lossy.flush();
    long nowNs = lossy.nowNs();
    for (int i = 0; i < 400; i++) {
      nowNs += 100 * MS;
      assertThat(lossy.a.flow.timer().tick(nowNs, false, false)).isFalse();
    }
    assertThat(counters(lossy.a).pingsSent()).isZero();
    assertThat(lossy.a.flow.state()).as("after 40 s").isEqualTo(FlowState.OPEN);

    assertThat(lossy.a.flow.timer().tick(nowNs, false, true)).isTrue();
    assertThat(lossy.a.flow.state()).as("just asked").isEqualTo(FlowState.OPEN);
    for (int i = 0; i < 310; i++) {
      nowNs += 100 * MS;
      lossy.a.flow.timer().tick(nowNs, false, true);
    }
    assertThat(lossy.a.lostError).as("31 s after it was asked").isEqualTo(FabricError.TIMED_OUT);
  }

  @Test
  void shouldNameTheTimeOfTheAcknowledgementWhenOnlyThatIsOwed() {
    settle(lossy);
    lossy.a.send(10, CompletionLevel.INJECT);
    lossy.a.flow.flush();
    lossy.sleep(MS / 10);
    lossy.a.out.deliver(lossy.b::hear);
    lossy.b.flow.flush();
    assertThat(lossy.b.flow.timer().isNeeded()).isTrue();
    long nowNs = lossy.nowNs();

    assertThat(lossy.b.flow.timer().delayNs(nowNs)).as("four pings").isEqualTo(2 * MS);
    lossy.b.flow.timer().tick(nowNs + 2 * MS - 1, false, true);
    assertThat(lossy.b.isDirty()).isFalse();
    lossy.b.flow.timer().tick(nowNs + 2 * MS, false, true);
    assertThat(lossy.b.isDirty()).isTrue();
  }

  @Test
  void shouldSayForHowLongThePeerWasSilent() {
    lossy.faults(CUT);
    lossy.a.send(10, CompletionLevel.TRANSMIT);
    lossy.until(() -> lossy.a.lost == 1, 10 * MS, 60 * SECOND);

    String detail = lossy.a.lostDetail;
    int silentMs = Integer.parseInt(detail.replaceFirst(".*for (\\d+) ms, flow.*", "$1"));
    assertThat(silentMs).isBetween(30_000, 30_200);
  }

  // ---- the end ----

  @Test
  void shouldRepeatTheGoodbyeOfAFlowThatHasEnded() {
    settle(reliable);
    assertThat(reliable.a.flow.end().repeatGoodbye(FabricError.CONNECTION_RESET))
        .as("it has not ended")
        .isTrue();
    assertThat(reliable.b.lost).isZero();
    reliable.a.flow.end().lose(FabricError.TIMED_OUT, "given up");
    reliable.a.out.faults(NO_ROOM);
    assertThat(reliable.a.flow.end().repeatGoodbye(FabricError.CONNECTION_RESET)).isFalse();
    reliable.a.out.faults(Faults.NONE);
    long before = reliable.a.out.uncounted();
    assertThat(reliable.a.flow.end().repeatGoodbye(FabricError.CONNECTION_RESET)).isTrue();

    assertThat(reliable.a.out.uncounted()).isEqualTo(before + 1);
  }

  @Test
  void shouldHaveNobodyToTellBeforeThePeerIsKnown() {
    FlowPair pair = FlowPair.notEstablished(SETTINGS, true);
    pair.a.flow.end().answeredLate(9);
    assertThat(pair.a.flow.remoteId()).as("it has not ended").isNegative();
    pair.a.flow.end().lose(FabricError.TIMED_OUT, "given up");
    long before = pair.a.out.uncounted();

    assertThat(pair.a.flow.end().repeatGoodbye(FabricError.CONNECTION_RESET)).isTrue();
    assertThat(pair.a.out.uncounted()).isEqualTo(before);
    pair.a.flow.end().answeredLate(9);
    assertThat(pair.a.flow.remoteId()).isEqualTo(9);
    pair.a.flow.end().answeredLate(10);
    assertThat(pair.a.flow.remoteId()).as("the first one counts").isEqualTo(9);
    assertThat(pair.a.flow.end().repeatGoodbye(FabricError.CONNECTION_RESET)).isTrue();
    assertThat(pair.a.out.uncounted()).isEqualTo(before + 1);
  }

  @Test
  void shouldReleaseEveryPacketWhenItIsLost() {
    lossy.a.out.faults(NO_ROOM);
    reliable.a.out.faults(NO_ROOM);
    for (FlowPair pair : new FlowPair[] {lossy, reliable}) {
      pair.a.send(10, CompletionLevel.TRANSMIT);
      pair.a.flow.flush();
      pair.a.send(10, CompletionLevel.TRANSMIT);
      assertThat(pair.a.flow.hasPacketsOnTheWay()).isTrue();
      pair.a.out.faults(Faults.NONE);
      pair.end();
      assertThat(pair.a.flow.hasPacketsOnTheWay()).isFalse();
    }
  }

  // ---- settings ----

  @Test
  void shouldTakeTheSizesOfAProvider() {
    assertThat(SETTINGS.eagerLimitBytes()).isEqualTo(1_000);
    assertThat(SETTINGS.over("none")).isSameAs(SETTINGS);
    assertThat(SETTINGS.over("other").eagerLimitBytes()).isEqualTo(2_000);
    assertThat(SETTINGS.over("other").sizes().windowBytes()).isEqualTo(64 * 1024);
    assertThat(SETTINGS.over("other").windowPackets()).isEqualTo(16);
  }
}
