package io.tagfabric.flow;

import static io.tagfabric.complete.CompletionLevel.DELIVERY;
import static io.tagfabric.complete.CompletionLevel.MATCH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.tagfabric.cluster.settings.RecordCopy;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.error.FabricError;
import io.tagfabric.flow.send.OutgoingFrame;
import io.tagfabric.flow.window.FlowPace;
import io.tagfabric.flow.window.FlowSettings;
import io.tagfabric.flow.window.SizeClasses;
import io.tagfabric.wire.Packet;
import io.tagfabric.wire.sbe.MessageHeaderEncoder;
import io.tagfabric.wire.sbe.PacketHeaderEncoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FlowTest {
  private static final long MS = 1_000_000L;
  private static final long SECOND = 1_000 * MS;
  private static final Faults CUT = new Faults(1, 0, 0, 0);
  private static final Faults NO_ROOM = new Faults(0, 0, 0, 1);
  private static final FlowSettings SETTINGS = settings(64, 1 << 20);

  private static FlowSettings settings(int messageCredits, long windowBytes) {
    return new FlowSettings(
        new SizeClasses(1_000, 0, 128 * 1024, 8),
        Map.of(),
        10_000,
        1 << 20,
        messageCredits,
        16,
        windowBytes,
        8,
        MS / 2,
        100 * MS,
        8,
        30 * SECOND,
        20 * SECOND,
        FlowPace.DEFAULT);
  }

  private final FlowPair lossy = new FlowPair(SETTINGS, false);
  private final FlowPair reliable = new FlowPair(SETTINGS, true);

  /** Lets b receive until a's sends have ended. */
  private static void receiveAll(FlowPair pair, int capacity) {
    pair.until(
        () -> {
          pair.b.receive(capacity);
          return pair.a.isDone();
        },
        MS,
        SECOND);
  }

  // ---- silence ----

  @Test
  void shouldGiveUpThePeerWhenItIsSilentTooLong() {
    lossy.faults(CUT);
    SimulatedSend injected = lossy.a.send(10, CompletionLevel.INJECT);
    SimulatedSend transmitted = lossy.a.send(10, CompletionLevel.TRANSMIT);
    SimulatedSend announced = lossy.a.send(5_000, CompletionLevel.INJECT);

    long startNs = lossy.nowNs();
    lossy.until(() -> lossy.a.lost == 1, MS, 60 * SECOND);

    assertThat(lossy.nowNs() - startNs).isBetween(30 * SECOND, 31 * SECOND);
    assertThat(lossy.a.lostError).isEqualTo(FabricError.TIMED_OUT);
    assertThat(lossy.a.lostDetail)
        .startsWith("peer [peer@akka://x] lost: no sign of life for 30")
        .endsWith("ms, flow.peer-timeout=30000 ms");
    assertThat(injected.completions).isEqualTo(1);
    assertThat(transmitted.error).isEqualTo(FabricError.TIMED_OUT);
    assertThat(announced.error).isEqualTo(FabricError.TIMED_OUT);
    assertThat(lossy.a.flow.timer().isNeeded()).isFalse();
    assertThatIllegalStateException().isThrownBy(() -> lossy.a.send(1, CompletionLevel.INJECT));
    assertThat(lossy.a.out.pings()).as("doubling distance").isBetween(100L, 400L);
    assertThat(lossy.a.out.replays()).isZero();
  }

  @Test
  void shouldWaitForThePeerWhenTheClusterKnowsThatItLives() {
    lossy.knownAlive = true;
    lossy.faults(CUT);
    SimulatedSend send = lossy.a.send(10, CompletionLevel.TRANSMIT);
    for (int i = 0; i < 300; i++) {
      lossy.pass(SECOND);
    }
    assertThat(lossy.a.lost).isZero();

    lossy.faults(Faults.NONE);
    lossy.until(() -> send.completions == 1, MS, SECOND);
  }

  @Test
  void shouldNotGiveUpWhenTheFlowWasIdleForLong() {
    SimulatedSend first = lossy.a.send(10, CompletionLevel.TRANSMIT);
    lossy.until(() -> first.completions == 1, MS, SECOND);
    lossy.pass(3_600 * SECOND);

    SimulatedSend second = lossy.a.send(10, CompletionLevel.TRANSMIT);
    lossy.until(() -> second.ends() == 1, MS, SECOND);

    assertThat(second.completions).isEqualTo(1);
    assertThat(lossy.a.lost).isZero();
  }

  @Test
  void shouldNotBlameThePeerWhenThisSideLookedAway() {
    lossy.faults(CUT);
    SimulatedSend send = lossy.a.send(10, CompletionLevel.TRANSMIT);
    lossy.pass(MS);
    lossy.faults(Faults.NONE);

    lossy.pass(600 * SECOND);
    lossy.until(() -> send.ends() == 1, MS / 10, SECOND);

    assertThat(send.completions).isEqualTo(1);
  }

  @Test
  void shouldNoticeALostPeerWhenOnlyARequestWaits() {
    lossy.a.send(5_000, CompletionLevel.INJECT);
    lossy.until(() -> lossy.b.arrivals() == 1, MS, SECOND);
    lossy.until(lossy::isQuiet, MS, SECOND);
    lossy.faults(CUT);

    lossy.until(() -> lossy.a.lost == 1, 10 * MS, 40 * SECOND);
  }

  @Test
  void shouldNoticeALostPeerWhenItOwesTheBytesOfAMessage() {
    lossy.a.send(1 << 20, CompletionLevel.INJECT);
    lossy.until(() -> lossy.b.arrivals() == 1, MS, SECOND);
    lossy.b.receive(1 << 20);
    lossy.pass(MS / 10);
    lossy.pass(MS / 10);
    lossy.faults(CUT);

    lossy.until(() -> lossy.b.lost == 1, 10 * MS, 40 * SECOND);

    assertThat(lossy.b.receivedMessages()).isZero();
  }

  @Test
  void shouldNoticeALostPeerWhenItOwesTheRestOfAMessage() {
    lossy.a.send(10, CompletionLevel.TRANSMIT);
    lossy.until(() -> lossy.b.arrivals() == 1 && lossy.isQuiet(), MS, SECOND);
    lossy.until(() -> !lossy.b.flow.timer().isNeeded(), MS, SECOND);
    lossy.faults(CUT);

    lossy.b.flow.origin().awaitsRest(true);
    assertThat(lossy.b.flow.timer().isNeeded()).isTrue();
    lossy.until(() -> lossy.b.lost == 1, 10 * MS, 40 * SECOND);

    assertThat(lossy.b.lostError).isEqualTo(FabricError.TIMED_OUT);
    assertThat(lossy.b.out.pings()).isPositive();
  }

  @Test
  void shouldUseNoTimerWhenNothingIsUnderWay() {
    SimulatedSend send = lossy.a.send(10, CompletionLevel.TRANSMIT);
    lossy.until(() -> send.completions == 1 && lossy.isQuiet(), MS, SECOND);
    lossy.until(() -> !lossy.b.flow.timer().isNeeded(), MS, SECOND);

    assertThat(lossy.a.flow.timer().isNeeded()).isFalse();
    assertThat(reliable.a.flow.timer().isNeeded()).isFalse();
  }

  @Test
  void shouldUseNoTimerWhenTheBytesThatWereAskedForHaveCome() {
    lossy.a.send(300_000, CompletionLevel.INJECT);
    receiveAll(lossy, 300_000);

    lossy.until(() -> !lossy.b.flow.timer().isNeeded(), MS, SECOND);
    lossy.until(() -> !lossy.a.flow.timer().isNeeded(), MS, SECOND);
  }

  @Test
  void shouldAskRarelyWhenAReceiveIsLongInComing() {
    lossy.a.send(5_000, CompletionLevel.INJECT);
    for (int i = 0; i < 10_000; i++) {
      lossy.pass(MS);
    }

    assertThat(lossy.a.out.pings()).isLessThan(120);
    assertThat(lossy.b.receive(5_000)).isTrue();
    lossy.until(() -> lossy.a.isDone(), MS, SECOND);
  }

  // ---- lost packets ----

  @Test
  void shouldFindOutAboutCreditWhenThePacketThatBroughtItIsLost() {
    FlowPair pair = new FlowPair(settings(2, 1 << 20), false);
    pair.a.send(10, CompletionLevel.INJECT);
    pair.a.send(10, CompletionLevel.INJECT);
    SimulatedSend third = pair.a.send(10, CompletionLevel.INJECT);
    pair.until(() -> pair.b.arrivals() == 2 && pair.isQuiet(), MS, SECOND);
    pair.b.out.faults(CUT);
    pair.b.receive(10);
    pair.b.receive(10);
    pair.pass(MS / 10);
    pair.b.out.faults(Faults.NONE);

    pair.until(() -> third.completions == 1, MS, 5 * SECOND);
  }

  @Test
  void shouldTellAStalledSenderAtOnceWhenOneOfManyCreditsIsFree() {
    FlowPair pair = new FlowPair(settings(64, 1 << 20), true);
    for (int i = 0; i < 65; i++) {
      pair.a.send(1, CompletionLevel.INJECT);
    }
    pair.until(() -> pair.b.arrivals() == 64 && pair.isQuiet(), MS, SECOND);

    pair.b.receive(1);
    pair.until(() -> pair.b.arrivals() == 65, MS, SECOND);
  }

  @Test
  void shouldNotStallWhenTheWindowIsFullOfBytesBeforeAnAcknowledgementIsDue() {
    FlowPair pair = new FlowPair(settings(64, 1), true);
    for (int i = 0; i < 30; i++) {
      pair.a.send(900, CompletionLevel.INJECT);
      pair.flush();
    }

    pair.until(
        () -> {
          pair.b.receive(900);
          return pair.b.receivedMessages() == 30;
        },
        MS,
        SECOND);
  }

  @Test
  void shouldReplayNothingThatStillWaitsForRoomWhenPacketsAreMissing() {
    lossy.a.out.faults(CUT);
    lossy.a.send(10, CompletionLevel.TRANSMIT);
    lossy.flush();
    lossy.a.out.faults(Faults.NONE);
    lossy.a.send(10, CompletionLevel.TRANSMIT);
    lossy.flush();
    lossy.pass(MS / 10);
    lossy.a.out.faults(NO_ROOM);
    lossy.a.send(10, CompletionLevel.TRANSMIT);
    lossy.flush();
    lossy.a.out.faults(Faults.NONE);
    lossy.sleep(MS / 10);

    lossy.b.out.deliver(lossy.a::hear);

    assertThat(lossy.a.out.counted()).as("packets offered").isEqualTo(2);
    assertThat(lossy.a.out.replays()).isEqualTo(2);
    receiveAll(lossy, 10);
    lossy.until(lossy::isQuiet, MS, SECOND);
    lossy.end();
  }

  @Test
  void shouldReportMissingPacketsWhenTrafficGoesBothWays() {
    lossy.a.out.faults(CUT);
    SimulatedSend lost = lossy.a.send(10, CompletionLevel.TRANSMIT);
    lossy.flush();
    lossy.a.out.faults(Faults.NONE);

    for (int i = 0; i < 40 && lost.completions == 0; i++) {
      lossy.a.send(10, CompletionLevel.INJECT);
      lossy.b.send(10, CompletionLevel.INJECT);
      lossy.pass(MS / 10);
      lossy.a.receive(10);
      lossy.b.receive(10);
    }

    assertThat(lost.completions).as("replayed although b always had packets to send").isEqualTo(1);
    assertThat(lossy.a.out.replays()).isPositive();
  }

  @Test
  void shouldLetShortMessagesThroughWhenALongOneFillsTheWindow() {
    lossy.a.send(1 << 20, CompletionLevel.INJECT);
    lossy.until(() -> lossy.b.arrivals() == 1, MS, SECOND);
    lossy.b.receive(1 << 20);

    lossy.pass(MS);
    lossy.pass(MS);
    lossy.a.send(10, CompletionLevel.INJECT);
    lossy.until(() -> lossy.b.arrivals() == 2, MS / 10, SECOND);

    assertThat(lossy.b.receivedMessages()).as("the long one is still under way").isZero();
    lossy.b.receive(10);
    lossy.until(() -> lossy.a.isDone(), MS, 10 * SECOND);
  }

  // ---- set-up ----

  @Test
  void shouldAskForALongMessageWhenItsRequestOvertakesTheWelcome() {
    FlowPair pair = FlowPair.notEstablished(SETTINGS, false);
    pair.a.greet();
    pair.b.establish();
    SimulatedSend send = pair.b.send(5_000, MATCH);
    pair.until(() -> pair.a.arrivals() == 1, MS, SECOND);
    assertThat(pair.a.flow.state()).isEqualTo(FlowState.CONNECTING);

    pair.a.receive(5_000);
    for (int i = 0; i < 10; i++) {
      pair.pass(MS);
    }
    assertThat(send.ends()).as("its bytes are asked for when the welcome is here").isZero();
    pair.a.establish();
    pair.until(() -> pair.b.isDone(), MS, SECOND);

    assertThat(send.completions).isEqualTo(1);
    assertThat(pair.a.receivedMessages()).isEqualTo(1);
    pair.until(pair::isQuiet, MS, SECOND);
    pair.end();
  }

  // ---- levels ----

  @Test
  void shouldCompleteAtOnceWhenNoByteOfAnAnnouncedMessageIsWanted() {
    int sent = 0;
    for (CompletionLevel level : CompletionLevel.values()) {
      int count = ++sent;
      SimulatedSend send = reliable.a.send(5_000, level);
      reliable.until(() -> reliable.b.arrivals() == count, MS, SECOND);
      reliable.b.receive(0);
      reliable.until(() -> send.completions == 1, MS, SECOND);
    }
  }

  @Test
  void shouldCountUnacknowledgedSendsAsUnfinishedWhenTheChannelIsReliable() {
    SimulatedSend send = reliable.a.send(10, CompletionLevel.TRANSMIT);
    reliable.flush();
    assertThat(reliable.a.flow.hasUnfinishedSends()).isTrue();

    reliable.until(() -> send.completions == 1, MS, SECOND);
    assertThat(reliable.a.flow.hasUnfinishedSends()).isFalse();
  }

  @Test
  void shouldGiveASendBackWhenItHasNotLeft() {
    FlowPair pair = new FlowPair(settings(1, 1 << 20), true);
    SimulatedSend first = pair.a.send(10, CompletionLevel.INJECT);
    SimulatedSend second = pair.a.send(10, CompletionLevel.INJECT);

    assertThat(pair.a.flow.withdraw(each -> each == first)).isNull();
    assertThat(pair.a.flow.withdraw(each -> each == second)).isSameAs(second);
    assertThat(pair.a.flow.withdraw(each -> each == second)).isNull();
    pair.until(pair::isQuiet, MS, SECOND);
    assertThat(pair.b.arrivals()).isEqualTo(1);
  }

  @Test
  void shouldSendWhatWaitsBehindAFenceThatIsTakenBack() {
    reliable.a.send(10, CompletionLevel.TRANSMIT);
    SimulatedSend fenced = reliable.a.sendFenced(10, CompletionLevel.INJECT);
    SimulatedSend last = reliable.a.send(10, CompletionLevel.INJECT);
    reliable.flush();
    assertThat(last.completions).isZero();

    assertThat(reliable.a.flow.withdraw(each -> each == fenced)).isSameAs(fenced);
    assertThat(reliable.a.flow.isForgotten()).isFalse();
    reliable.flush();
    assertThat(last.completions).isOne();
  }

  @Test
  void shouldFailAtOnceWhatIsTooLongBehindASendThatIsTakenBack() {
    FlowPair pair = new FlowPair(settings(1, 1 << 20), true, 5_000);
    pair.a.send(10, CompletionLevel.INJECT);
    SimulatedSend withoutCredit = pair.a.send(10, CompletionLevel.INJECT);
    SimulatedSend tooLong = pair.a.send(5_001, CompletionLevel.INJECT);
    pair.flush();
    assertThat(tooLong.ends()).isZero();

    assertThat(pair.a.flow.withdraw(each -> each == withoutCredit)).isSameAs(withoutCredit);
    assertThat(pair.a.flow.isForgotten()).isFalse();
    pair.flush();
    assertThat(tooLong.error).isEqualTo(FabricError.MESSAGE_SIZE);
  }

  @Test
  void shouldAcknowledgeWhatTheReceiversMatcherHasTaken() {
    reliable.b.matcherLags = true;
    SimulatedSend transmit = reliable.a.send(10, CompletionLevel.TRANSMIT);
    SimulatedSend delivery = reliable.a.send(10, CompletionLevel.DELIVERY);
    reliable.flush();
    reliable.sleep(MS);
    reliable.a.out.deliver(reliable.b::hear);
    assertThat(reliable.b.arrivals()).isZero();
    assertThat(reliable.b.out.isEmpty()).isTrue();

    reliable.until(() -> delivery.completions == 1, MS, SECOND);
    assertThat(transmit.completions).isEqualTo(1);
    assertThat(reliable.b.arrivals()).isEqualTo(2);
    assertThat(reliable.a.flow.hasUnfinishedSends()).isFalse();
  }

  @Test
  void shouldAskAgainWhenTheWordOfDeliveryIsLost() {
    SimulatedSend delivery = lossy.a.send(10, CompletionLevel.DELIVERY);
    lossy.pass(MS);
    lossy.b.out.faults(CUT);
    lossy.pass(MS);
    assertThat(lossy.b.arrivals()).isEqualTo(1);
    assertThat(delivery.completions).isZero();
    lossy.b.out.faults(Faults.NONE);

    lossy.until(() -> delivery.completions == 1, MS, SECOND);
  }

  // ---- services ----

  private static final class TestFrame extends OutgoingFrame {
    boolean left;
    String failure;

    TestFrame(Credit credit, int frameBytes) {
      super(credit, frameBytes);
    }

    @Override
    protected void write(Packet packet) {
      new MessageHeaderEncoder()
          .wrap(packet.buffer(), packet.length())
          .blockLength((short) 12)
          .templateId((short) FlowSide.IDLE_KIND)
          .schemaId(PacketHeaderEncoder.SCHEMA_ID)
          .version(PacketHeaderEncoder.SCHEMA_VERSION);
      packet.append(20);
    }

    @Override
    protected void onLeft() {
      left = true;
    }

    @Override
    public void onFailed(FabricError error, String detail) {
      failure = error + " " + detail;
    }
  }

  @Test
  void shouldSendRepliesWhenRequestsHaveUsedTheirCredit() {
    FlowPair pair = new FlowPair(settings(2, 1 << 20), true);
    pair.a.send(10, CompletionLevel.INJECT);
    pair.a.send(10, CompletionLevel.INJECT);
    TestFrame request = new TestFrame(OutgoingFrame.Credit.REQUEST, 20);
    TestFrame reply = new TestFrame(OutgoingFrame.Credit.REPLY, 20);
    pair.a.flow.submit(request);
    pair.a.flow.submit(reply);
    pair.flush();

    assertThat(reply.left).isTrue();
    assertThat(request.left).isFalse();

    pair.until(() -> pair.b.arrivals() == 2, MS, SECOND);
    pair.b.receive(10);
    pair.until(() -> request.left, MS, SECOND);
  }

  @Test
  void shouldSendNoMoreRepliesThanGranted() {
    FlowPair pair = new FlowPair(settings(2, 1 << 20), true);
    List<TestFrame> replies = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      replies.add(new TestFrame(OutgoingFrame.Credit.REPLY, 20));
      pair.a.flow.submit(replies.get(i));
    }
    pair.flush();
    assertThat(replies).extracting(each -> each.left).containsExactly(true, true, false);

    assertThat(pair.b.flow.origin().admitReply()).isTrue();
    pair.b.flow.origin().consumedReply();
    pair.until(() -> replies.get(2).left, MS, SECOND);
  }

  @Test
  void shouldTellFramesThatWillNotLeave() {
    TestFrame tooLong = new TestFrame(OutgoingFrame.Credit.REPLY, 5_000);
    reliable.a.flow.submit(tooLong);
    assertThat(tooLong.failure).startsWith("MESSAGE_SIZE").contains("frameBytes=5000 > largest");

    FlowPair pair = FlowPair.notEstablished(settings(2, 1 << 20), true);
    TestFrame waiting = new TestFrame(OutgoingFrame.Credit.REQUEST, 20);
    pair.a.flow.submit(waiting);
    pair.a.flow.end().lose(FabricError.TIMED_OUT, "silent");
    assertThat(waiting.failure).startsWith("TIMED_OUT");
    TestFrame late = new TestFrame(OutgoingFrame.Credit.REQUEST, 20);
    pair.a.flow.submit(late);
    assertThat(late.failure).startsWith("CONNECTION_RESET");
  }

  // ---- size classes ----

  private static FlowPair pair(int multiEagerLimit, int window, int windows, long credit) {
    return new FlowPair(
        SETTINGS
            .withSizes(new SizeClasses(1_000, multiEagerLimit, window, windows))
            .withCredit(credit, 64),
        true);
  }

  @Test
  void shouldSendWithoutAskingWhenAMessageOfSeveralPacketsHasCredit() {
    FlowPair pair = pair(20_000, 1 << 20, 1, 30_000);
    SimulatedSend first = pair.a.send(15_000, CompletionLevel.INJECT);
    assertThat(first.completions).as("complete when all is in packets").isEqualTo(1);
    SimulatedSend second = pair.a.send(15_001, CompletionLevel.INJECT);
    assertThat(second.completions).as("beyond the credit it asks").isZero();
    SimulatedSend third = pair.a.send(15_000, CompletionLevel.MATCH);
    pair.until(() -> pair.b.arrivals() == 3, MS, SECOND);

    var counters = pair.a.flow.counters().snapshot();
    assertThat(counters.multiPacketMessagesSent()).isEqualTo(1);
    assertThat(counters.requestsSent()).isEqualTo(2);
    assertThat(third.completions).isZero();
    for (int i = 0; i < 3; i++) {
      pair.b.receive(1 << 20);
    }
    pair.until(() -> pair.a.isDone(), MS, SECOND);
  }

  @Test
  void shouldHaveNoMoreUnderWayThanWindowsOfALongMessage() {
    FlowPair pair = pair(0, 2_000, 2, 10_000);
    pair.a.send(100_000, CompletionLevel.INJECT);
    pair.until(() -> pair.b.arrivals() == 1 && pair.isQuiet(), MS, SECOND);
    pair.b.receive(100_000);
    pair.pass(MS);
    pair.pass(MS);

    assertThat(pair.a.flow.counters().snapshot().dataBytesSent()).isEqualTo(4_000);
    pair.until(() -> pair.a.isDone(), MS, SECOND);
    assertThat(pair.a.flow.counters().snapshot().dataBytesSent()).isEqualTo(100_000);
  }

  @Test
  void shouldLetLongMessagesTakeTurnsByWindows() {
    FlowPair pair = pair(0, 2_000, 1, 10_000);
    SimulatedSend longer = pair.a.send(100_000, CompletionLevel.INJECT);
    SimulatedSend shorter = pair.a.send(10_000, CompletionLevel.INJECT);
    pair.until(() -> pair.b.arrivals() == 2, MS, SECOND);
    pair.b.receive(100_000);
    pair.b.receive(10_000);

    pair.until(() -> shorter.completions == 1, MS, SECOND);

    assertThat(longer.completions).isZero();
    pair.until(() -> pair.a.isDone(), MS, SECOND);
  }

  @Test
  void shouldCompleteDeliveryAndMatchOfALongMessageWhenItIsThere() {
    for (CompletionLevel level : new CompletionLevel[] {DELIVERY, MATCH}) {
      FlowPair pair = pair(0, 2_000, 2, 10_000);
      SimulatedSend send = pair.a.send(9_000, level);
      pair.until(() -> pair.b.arrivals() == 1 && pair.isQuiet(), MS, SECOND);
      pair.b.receive(9_000);
      pair.until(() -> pair.a.flow.counters().snapshot().dataBytesSent() == 9_000, 1, SECOND);
      assertThat(send.completions).isZero();

      pair.until(() -> send.completions == 1, MS, SECOND);
      assertThat(pair.b.receivedMessages()).isEqualTo(1);
    }
  }

  // ---- credit ----

  @Test
  void shouldGiveByteCreditBackWhenMessagesAreTaken() {
    FlowPair pair = pair(0, 2_000, 2, 5_000);
    for (int i = 0; i < 200; i++) {
      pair.a.send(1_000, CompletionLevel.INJECT);
      pair.until(() -> pair.b.receive(1_000), MS, SECOND);
    }

    assertThat(pair.a.flow.counters().snapshot().requestsSent())
        .as("a sender whose messages are taken never runs out of credit")
        .isZero();
    assertThat(pair.b.flow.counters().snapshot().acknowledgementsSent()).isLessThan(200);
  }

  @Test
  void shouldPromiseNoMoreThanTheBudgetOfTheEndpoint() {
    FlowPair pair = new FlowPair(RecordCopy.with(SETTINGS, "unexpectedBudgetBytes", 3_000L), true);
    for (int i = 0; i < 10; i++) {
      pair.a.send(1_000, CompletionLevel.INJECT);
    }
    pair.until(() -> pair.b.arrivals() == 10, MS, SECOND);

    assertThat(pair.a.flow.counters().snapshot().eagerMessagesSent()).isEqualTo(3);
    assertThat(pair.a.flow.counters().snapshot().requestsSent()).isEqualTo(7);
    assertThat(pair.b.budget.freeBytes()).isZero();
    receiveAll(pair, 1_000);
    pair.b.flow.end().lose(FabricError.CANCELED, "the end");
    assertThat(pair.b.budget.freeBytes()).as("all of it is back").isEqualTo(3_000);
  }

  @Test
  void shouldKeepHoldingTheBudgetOfWhatWaitsWhenTheSenderIsLost() {
    FlowPair pair = new FlowPair(RecordCopy.with(SETTINGS, "unexpectedBudgetBytes", 3_000L), true);
    pair.a.send(1_000, CompletionLevel.INJECT);
    pair.until(() -> pair.b.arrivals() == 1, MS, SECOND);
    pair.b.flow.end().lose(FabricError.TIMED_OUT, "gone");

    assertThat(pair.b.budget.freeBytes()).isEqualTo(2_000);
    pair.b.receive(1_000);
    assertThat(pair.b.budget.freeBytes()).isEqualTo(3_000);
  }

  // ---- cancel ----

  @Test
  void shouldTellThePeerWhenAMessageIsCancelledHalfWay() {
    FlowPair pair = pair(0, 2_000, 2, 10_000);
    SimulatedSend matched = pair.a.send(100_000, CompletionLevel.INJECT);
    SimulatedSend announced = pair.a.send(100_000, CompletionLevel.INJECT);
    pair.until(() -> pair.b.arrivals() == 2, MS, SECOND);
    pair.b.receive(100_000);
    pair.pass(MS);
    pair.pass(MS);

    assertThat(pair.a.cancel(matched.number)).isTrue();
    assertThat(pair.a.cancel(announced.number)).isTrue();
    assertThat(pair.a.cancel(announced.number)).isFalse();
    pair.until(() -> pair.b.abortedMessages() == 2, MS, SECOND);

    assertThat(pair.b.receive(1)).as("the announcement is forgotten").isFalse();
    assertThat(pair.a.isDone()).isTrue();
  }

  @Test
  void shouldTellThePeerInTheSamePassWhenAMessageIsCancelled() {
    reliable.a.send(100_000, CompletionLevel.INJECT);
    reliable.until(() -> reliable.b.arrivals() == 1 && reliable.isQuiet(), MS, SECOND);

    assertThat(reliable.a.cancel(0)).isTrue();
    assertThat(reliable.flush()).as("the Abort leaves").isEqualTo(1);
    reliable.pass(MS);

    assertThat(reliable.b.abortedMessages()).isEqualTo(1);
  }

  @Test
  void shouldAbortAMessageOfSeveralPacketsBeforeItBeginsTheNext() {
    FlowPair pair =
        new FlowPair(
            settings(64, 4_000)
                .withSizes(new SizeClasses(1_000, 9_000, 2_000, 2))
                .withCredit(30_000, 64),
            true);
    SimulatedSend halfWay = pair.a.send(9_000, CompletionLevel.INJECT);
    pair.flush();
    assertThat(halfWay.completions).as("the window has closed").isZero();
    pair.sleep(MS);
    pair.a.out.deliver(pair.b::hear);
    pair.b.flushIfNeeded();
    pair.sleep(MS);
    pair.b.out.deliver(pair.a::hear);

    // all in one pass, and the window is open
    assertThat(pair.a.cancel(halfWay.number)).isTrue();
    SimulatedSend next = pair.a.send(1_001, CompletionLevel.INJECT);
    pair.flush();
    pair.until(() -> pair.b.arrivals() == 2, MS / 10, SECOND);
    receiveAll(pair, 9_000);

    assertThat(pair.b.abortedMessages()).isEqualTo(1);
    assertThat(next.completions).isEqualTo(1);
  }

  @Test
  void shouldBeTooLateToCancelWhenAllBytesAreOnTheirWay() {
    SimulatedSend send = reliable.a.send(5_000, CompletionLevel.MATCH);
    reliable.until(() -> reliable.b.arrivals() == 1, MS, SECOND);
    reliable.b.receive(5_000);
    reliable.until(
        () -> reliable.a.flow.counters().snapshot().dataBytesSent() == 5_000, MS, SECOND);

    assertThat(reliable.a.cancel(send.number)).isFalse();
    reliable.until(() -> send.completions == 1, MS, SECOND);
  }

  @Test
  void shouldFailTheSendWhenTheReceiveThatTookItFails() {
    SimulatedSend send = reliable.a.send(5_000, CompletionLevel.DELIVERY);
    reliable.until(() -> reliable.b.arrivals() == 1, MS, SECOND);

    reliable.b.flow.origin().announced().finish(1, FabricError.IO.code());
    reliable.until(() -> send.ends() == 1, MS, SECOND);

    assertThat(send.error).isEqualTo(FabricError.IO);
    assertThat(send.detail).isEqualTo("the receive that took the message has failed");
    assertThat(send.mayHaveArrived()).isFalse();
  }

  // ---- goodbye ----

  private static void sayGoodbye(FlowSide side) {
    side.flow.end().sayGoodbye(FabricError.SHUTDOWN, FabricError.CANCELED, "closing");
  }

  @Test
  void shouldDeliverBeforeTheGoodbyeAndFailWhatHasNotLeft() {
    SimulatedSend eager = lossy.a.send(10, CompletionLevel.TRANSMIT);
    SimulatedSend announced = lossy.a.send(5_000, CompletionLevel.INJECT);
    SimulatedSend back = lossy.b.send(5_000, CompletionLevel.INJECT);

    sayGoodbye(lossy.a);
    lossy.until(() -> !lossy.a.flow.hasPacketsOnTheWay(), MS, SECOND);

    assertThat(lossy.b.lost).isEqualTo(1);
    assertThat(lossy.b.lostError).isEqualTo(FabricError.SHUTDOWN);
    assertThat(lossy.b.lostDetail)
        .isEqualTo("peer [peer@akka://x] lost: the peer's endpoint closed");
    assertThat(lossy.b.arrivals()).isEqualTo(2);
    assertThat(eager.completions).isEqualTo(1);
    assertThat(announced.error).isEqualTo(FabricError.CANCELED);
    assertThat(announced.detail).isEqualTo("closing");
    assertThat(back.error).isEqualTo(FabricError.SHUTDOWN);
    assertThatIllegalStateException().isThrownBy(() -> lossy.a.send(1, CompletionLevel.INJECT));
  }

  @Test
  void shouldRepeatTheGoodbyeWhenItIsLost() {
    lossy.a.out.faults(CUT);
    sayGoodbye(lossy.a);
    lossy.pass(MS);
    assertThat(lossy.a.flow.hasPacketsOnTheWay()).isTrue();
    lossy.a.out.faults(Faults.NONE);

    lossy.until(() -> lossy.b.lost == 1, MS, SECOND);
    lossy.until(() -> !lossy.a.flow.hasPacketsOnTheWay(), MS, SECOND);
  }

  @Test
  void shouldKnowThatThePeerHasTheGoodbyeOverAChannelThatLosesNothing() {
    SimulatedSend last = reliable.b.send(10, CompletionLevel.INJECT);
    sayGoodbye(reliable.a);
    assertThat(reliable.a.flow.hasPacketsOnTheWay()).as("it has left").isFalse();
    assertThat(reliable.a.flow.awaitsAcknowledgement()).isTrue();

    reliable.until(() -> !reliable.a.flow.awaitsAcknowledgement(), MS, SECOND);

    assertThat(last.completions).isEqualTo(1);
    assertThat(reliable.a.arrivals()).as("what was sent before it was heard").isEqualTo(1);
    assertThat(reliable.b.lostError).isEqualTo(FabricError.SHUTDOWN);
  }

  @Test
  void shouldSendWhatTheChannelHadRefusedBeforeItTakesTheGoodbye() {
    reliable.b.out.faults(new Faults(0, 0, 0, 1));
    SimulatedSend refused = reliable.b.send(10, CompletionLevel.INJECT);
    reliable.pass(MS);
    sayGoodbye(reliable.a);
    reliable.pass(MS);
    SimulatedSend late = reliable.b.send(10, CompletionLevel.INJECT);
    reliable.pass(MS);
    assertThat(reliable.b.lost).as("it waits for room").isZero();
    assertThat(reliable.a.flow.awaitsAcknowledgement()).isTrue();
    reliable.b.out.faults(Faults.NONE);

    reliable.until(() -> reliable.b.lost == 1, MS, SECOND);
    reliable.until(() -> !reliable.a.flow.awaitsAcknowledgement(), MS, SECOND);

    assertThat(refused.completions).isEqualTo(1);
    assertThat(reliable.a.arrivals()).isEqualTo(1);
    assertThat(late.error).isEqualTo(FabricError.SHUTDOWN);
    assertThat(late.mayHaveArrived()).isFalse();
  }

  @Test
  void shouldSayGoodbyeAsSoonAsThePeerIsKnown() {
    FlowPair pair = FlowPair.notEstablished(SETTINGS, false);
    SimulatedSend waiting = pair.a.send(10, CompletionLevel.TRANSMIT);

    sayGoodbye(pair.a);
    assertThat(waiting.error).isEqualTo(FabricError.CANCELED);
    assertThat(pair.a.flow.hasPacketsOnTheWay()).as("the goodbye waits").isTrue();
    assertThatIllegalStateException().isThrownBy(() -> pair.a.send(1, CompletionLevel.INJECT));
    pair.establish();

    pair.until(() -> pair.b.lost == 1, MS, SECOND);
    pair.until(() -> !pair.a.flow.hasPacketsOnTheWay(), MS, SECOND);
    assertThat(pair.b.lostError).isEqualTo(FabricError.SHUTDOWN);
    assertThat(pair.b.arrivals()).isZero();
  }

  @Test
  void shouldSayGoodbyeWhenTheWindowIsFull() {
    for (int i = 0; i < 16; i++) {
      reliable.a.send(900, CompletionLevel.INJECT);
      reliable.a.flow.flush();
    }
    sayGoodbye(reliable.a);

    reliable.until(() -> reliable.b.lost == 1, MS, SECOND);
    assertThat(reliable.b.arrivals()).isEqualTo(16);
  }

  @Test
  void shouldSayGoodbyeAfterThePacketsThatHadNoRoom() {
    reliable.a.out.faults(NO_ROOM);
    reliable.a.send(10, CompletionLevel.TRANSMIT);
    reliable.flush();
    assertThat(reliable.a.out.counted()).isZero();
    reliable.a.out.faults(Faults.NONE);

    sayGoodbye(reliable.a);
    reliable.until(() -> reliable.b.lost == 1, MS, SECOND);

    assertThat(reliable.b.arrivals()).isEqualTo(1);
    assertThat(reliable.b.lostError).isEqualTo(FabricError.SHUTDOWN);
  }

  @Test
  void shouldTellThePeerWhenItsPacketsComeAfterTheEnd() {
    lossy.a.flow.end().lose(FabricError.TIMED_OUT, "given up");
    SimulatedSend send = lossy.b.send(10, CompletionLevel.TRANSMIT);
    lossy.pass(MS);

    lossy.a.flow.end().repeatGoodbye(FabricError.CONNECTION_RESET);
    lossy.b.flow.end().onGoodbye(FabricError.CONNECTION_RESET.code());

    assertThat(lossy.a.out.uncounted()).isGreaterThanOrEqualTo(2);
    assertThat(send.error).isEqualTo(FabricError.CONNECTION_RESET);
    assertThat(lossy.b.lostDetail).endsWith("lost: the peer has given this flow up");
  }

  @Test
  void shouldUnderstandAGoodbyeWhenItsCodeIsUnknown() {
    lossy.a.flow.end().onGoodbye(-77);

    assertThat(lossy.a.lostError).isEqualTo(FabricError.CONNECTION_RESET);
  }

  @Test
  void shouldTellOnceWhenLostTwice() {
    SimulatedSend send = reliable.a.send(5_000, CompletionLevel.INJECT);

    reliable.a.flow.end().lose(FabricError.IO, "first");
    reliable.a.flow.end().lose(FabricError.IO, "second");

    assertThat(reliable.a.lost).isEqualTo(1);
    assertThat(send.failures).isEqualTo(1);
    assertThat(send.detail).isEqualTo("peer [peer@akka://x] lost: first");
    assertThat(reliable.a.flow.flush()).isZero();
  }

  @Test
  void shouldFailTheSendsWhenTheChannelIsClosed() {
    reliable.a.send(10, CompletionLevel.INJECT); // the first of a pass leaves at once
    SimulatedSend send = reliable.a.send(5_000, CompletionLevel.INJECT);
    reliable.a.out.close("it has gone");

    reliable.flush();

    assertThat(send.error).isEqualTo(FabricError.SHUTDOWN);
    assertThat(send.detail).endsWith("it has gone");
    assertThat(send.mayHaveArrived()).isFalse();
  }

  @Test
  void shouldSayWhichMessagesMayHaveArrivedWhenThePeerIsLost() {
    lossy.b.out.faults(CUT);
    SimulatedSend inPackets = lossy.a.send(10, CompletionLevel.TRANSMIT);
    SimulatedSend asked = lossy.a.send(5_000, CompletionLevel.TRANSMIT);
    SimulatedSend empty = lossy.a.send(0, CompletionLevel.MATCH);
    lossy.until(() -> lossy.b.arrivals() == 3, MS, SECOND);

    lossy.a.flow.end().lose(FabricError.TIMED_OUT, "silent");

    assertThat(List.of(inPackets, asked, empty)).extracting(send -> send.failures).containsOnly(1);
    assertThat(inPackets.mayHaveArrived()).isTrue();
    assertThat(asked.mayHaveArrived()).isFalse();
    assertThat(empty.mayHaveArrived()).as("a request of no bytes is the whole message").isTrue();
  }

  @Test
  void shouldSayThatALongMessageMayHaveArrivedOnceAllItsBytesHaveLeft() {
    FlowPair pair = pair(0, 2_000, 2, 10_000);
    SimulatedSend whole = pair.a.send(3_000, CompletionLevel.DELIVERY);
    SimulatedSend half = pair.a.send(100_000, CompletionLevel.DELIVERY);
    pair.until(() -> pair.b.arrivals() == 2, MS, SECOND);
    pair.b.receive(3_000);
    pair.b.receive(100_000);
    pair.until(() -> pair.a.flow.counters().snapshot().dataBytesSent() > 3_000, MS, SECOND);

    pair.a.flow.end().lose(FabricError.IO, "the cable");

    assertThat(whole.completions + half.completions).isZero();
    assertThat(whole.mayHaveArrived()).isTrue();
    assertThat(half.mayHaveArrived()).isFalse();
  }

  private static FlowSettings refused(int eagerLimit, int acknowledgeEvery, long pingNs) {
    SizeClasses sizes = new SizeClasses(eagerLimit, 0, 1, 1);
    return new FlowSettings(
        sizes, Map.of(), 9, 9, 1, 8, 1, acknowledgeEvery, pingNs, 2, 1, 1, 1, FlowPace.DEFAULT);
  }

  @Test
  void shouldRefuseSettingsThatContradictEachOther() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> refused(10, 4, 1))
        .withMessage("eagerLimitBytes=10 is too large for eagerCreditBytes=9");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> refused(1, 8, 1))
        .withMessageContaining("acknowledgeEvery=8");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> refused(1, 4, 3))
        .withMessageContaining("pingNs=3");
  }
}
