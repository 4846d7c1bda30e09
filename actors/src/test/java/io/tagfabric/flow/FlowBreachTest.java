package io.tagfabric.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.cluster.settings.RecordCopy;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.error.FabricError;
import io.tagfabric.wire.FrameCursor;
import io.tagfabric.wire.FrameWriter;
import io.tagfabric.wire.MessageView;
import io.tagfabric.wire.Packet;
import io.tagfabric.wire.PacketLayout;
import io.tagfabric.wire.sbe.PacketHeaderEncoder;
import java.util.function.Consumer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** A peer that breaks the rules of a flow loses it, and costs no memory. */
class FlowBreachTest {
  private static final int CREDIT_BYTES = 10_000;
  private static final int MESSAGES = 32;
  private static final long BUDGET_BYTES = 1 << 20;

  private final FlowPair pair =
      new FlowPair(
          RecordCopy.with(
              SmallFlows.COPYING.withCredit(CREDIT_BYTES, MESSAGES),
              "unexpectedBudgetBytes",
              BUDGET_BYTES),
          true);
  private final FlowSide victim = pair.b;
  private final FrameWriter writer = new FrameWriter();
  private final PacketHeaderEncoder header = new PacketHeaderEncoder();
  private final MessageView message = new MessageView();
  private final UnsafeBuffer bytes = new UnsafeBuffer(new byte[2 * CREDIT_BYTES]);

  private void forge(Consumer<Packet> frames) {
    forge(frames, packet -> {});
  }

  private void forge(Consumer<Packet> frames, Consumer<Packet> change) {
    Packet packet = victim.pool.acquire(4_000);
    frames.accept(packet);
    writer
        .seal(packet)
        .incarnation(FlowSide.INCARNATION)
        .sequence(1)
        .acknowledged(0)
        .grantedBytes(0)
        .grantedMessages(0)
        .grantedReplies(0)
        .isolation(5)
        .flow(0)
        .flags((short) 0);
    change.accept(packet);
    victim.hear(packet);
    packet.release();
  }

  private MessageView message(int length) {
    return message(0, length);
  }

  /** The number is the tag, and every third has data, as FlowSide expects it. */
  private MessageView message(int number, int length) {
    message.show(number, bytes, 0, length);
    if (number % 3 == 0) {
      message.showData(~number);
    }
    return message;
  }

  private void assertLost(String detail) {
    assertLost(detail, 0, 0);
  }

  private void assertLost(String detail, int messagesBefore, int bytesBefore) {
    assertThat(victim.lost).isEqualTo(1);
    assertThat(victim.lostError).isEqualTo(FabricError.PROTOCOL);
    assertThat(victim.lostDetail).contains(detail);
    assertThat(victim.arrivals()).as("messages before the breach").isEqualTo(messagesBefore);
    assertThat(victim.budget.freeBytes()).isEqualTo(BUDGET_BYTES - bytesBefore);
  }

  @Test
  void shouldTakeNoMemoryForAMessageThatSaysItHasTwoGigabytes() {
    forge(packet -> writer.eagerFirst(packet, message(Integer.MAX_VALUE), 1, 8));

    assertLost("unasked bytes=2147483647 of maxUnaskedBytes=20000");
  }

  /** Frames that come without a packet's header; the cursor is what the endpoint's desk has. */
  private void forgeBare(int bytesMissing, Consumer<Packet> frames) {
    Packet packet = victim.pool.acquire(4_000);
    frames.accept(packet);
    int length = packet.length() - Packet.HEADER_LENGTH - bytesMissing;
    byte[] only = new byte[length];
    packet.buffer().getBytes(Packet.HEADER_LENGTH, only);
    packet.release();
    FrameCursor cursor = new FrameCursor();
    cursor.wrapFrames(Packet.received(only));
    victim.flow.onFrames(cursor, length);
  }

  @Test
  void shouldTakeFramesWithoutAPacketAsThoseOfOne() {
    forgeBare(
        0,
        packet -> {
          writer.eager(packet, message(0, 500));
          writer.eager(packet, message(1, 20));
        });

    assertThat(victim.lost).isZero();
    assertThat(victim.arrivals()).isEqualTo(2);
    assertThat(victim.flow.counters().snapshot().bareReceived()).isEqualTo(1);
    assertThat(victim.flow.counters().snapshot().packetsReceived()).isZero();
  }

  @Test
  void shouldLoseTheFlowWhenFramesWithoutAPacketAreCutOff() {
    forgeBare(PacketLayout.ALIGNMENT, packet -> writer.eager(packet, message(500)));

    assertLost("frames without a packet do not follow the schema");
  }

  @Test
  void shouldHoldFramesWithoutAPacketToTheCredit() {
    forgeBare(
        0,
        packet -> {
          for (int i = 0; i <= MESSAGES; i++) {
            writer.eager(packet, message(i, 0));
          }
        });

    assertLost("beyond the credit it was given", MESSAGES, 0);
  }

  @Test
  void shouldTakeNoFramesWithoutAPacketWhenTheFlowIsLost() {
    victim.flow.end().lose(FabricError.CANCELED, "by its own will");
    forgeBare(0, packet -> writer.eager(packet, message(500)));

    assertThat(victim.arrivals()).isZero();
    assertThat(victim.flow.counters().snapshot().bareReceived()).isZero();
  }

  @Test
  void shouldHoldOnlyTheMessagesBeforeTheOneThatIsTooMuch() {
    forge(
        packet -> {
          writer.eager(packet, message(500));
          writer.eagerFirst(packet, message(CREDIT_BYTES - 499), 1, 8);
        });

    assertLost("arrivedBytes=500 of grantedBytes=10000", 1, 500);
  }

  @Test
  void shouldTakeNoMoreMessagesThanGranted() {
    forge(
        packet -> {
          for (int i = 0; i <= MESSAGES; i++) {
            writer.eager(packet, message(i, 0));
          }
        });

    assertLost("arrivedMessages=32 of grantedMessages=32", MESSAGES, 0);
  }

  @Test
  void shouldTakeNoMoreRequestsThanGranted() {
    forge(
        packet -> {
          for (int i = 0; i <= MESSAGES; i++) {
            writer.requestToSend(packet, message(i, 9), i + 1, false, null);
          }
        });

    assertLost("arrivedMessages=32 of grantedMessages=32", MESSAGES, 0);
  }

  @Test
  void shouldTakeNoMessageByItselfBeyondTheCredit() {
    victim.flow.onInjected(message(CREDIT_BYTES + 1));

    assertLost("payloadBytes=10001 is beyond the credit it was given");
  }

  @Test
  void shouldTakeNoBytesThatItHasNotAskedFor() {
    forge(packet -> writer.accesses().readData(packet, 1, 0, bytes, 0, 8));

    assertLost("it answers operation=1, which was not asked for: asked=0");
  }

  @Test
  void shouldTakeNoEndOfAnAccessThatItHasNotBegun() {
    forge(packet -> writer.accesses().end(packet, Long.MAX_VALUE, 0, -1, 0, 0, 0));

    assertLost("it answers operation=9223372036854775807, which was not asked for: asked=0");
  }

  @Test
  void shouldNotAcknowledgeAPacketThatDoesNotFollowTheSchema() {
    int[] second = new int[1];
    forge(
        packet -> {
          writer.eager(packet, message(500));
          second[0] = packet.length();
          writer.eager(packet, message(8));
        },
        packet -> packet.buffer().putByte(second[0] + 5, (byte) 99));

    assertLost("packet 1 does not follow the schema", 1, 500);
    assertThat(victim.flow.counters().snapshot().packetsMalformed()).isEqualTo(1);
  }

  @Test
  void shouldCompleteNoSendByAnAcknowledgementOfWhatWasNotSent() {
    SimulatedSend send = victim.send(10, CompletionLevel.TRANSMIT);
    victim.flushIfNeeded();
    forge(packet -> {}, packet -> header.wrap(packet.buffer(), 8).acknowledged(2));

    assertLost("acknowledged=2, highestSent=1");
    assertThat(send.completions).isZero();
    assertThat(send.error).isEqualTo(FabricError.PROTOCOL);
  }

  @Test
  void shouldTakeNoMoreRepliesThanGranted() {
    for (int i = 0; i < MESSAGES; i++) {
      assertThat(victim.flow.origin().admitReply()).isTrue();
    }
    victim.flow.origin().consumedReply();
    assertThat(victim.flow.origin().admitReply()).as("before the credit has been told").isFalse();

    assertLost("arrivedReplies=32 of grantedReplies=32");
  }

  @Test
  void shouldTakeNoAnnouncementOfAMessageLongerThanItHasSaid() {
    FlowSide small = new FlowPair(pair.settings(), true, 5_000).b;
    assertThat(small.flow.origin().admit(0, 5_000)).isTrue();
    assertThat(small.flow.origin().admit(0, 5_001)).isFalse();

    assertThat(small.lostError).isEqualTo(FabricError.PROTOCOL);
    assertThat(small.lostDetail).contains("messageBytes=5001 of maxMessageBytes=5000");
  }

  @Test
  void shouldFailTheSendThatThePeerWouldNotTake() {
    FlowPair small = new FlowPair(pair.settings(), true, 5_000);
    SimulatedSend fits = small.a.send(5_000, CompletionLevel.MATCH);
    SimulatedSend tooLong = small.a.send(5_001, CompletionLevel.INJECT);
    small.flush();

    assertThat(tooLong.error).isEqualTo(FabricError.MESSAGE_SIZE);
    assertThat(tooLong.detail)
        .contains("lengthBytes=5001 > endpoint.max-message-size=5000 of the peer");
    assertThat(fits.ends()).isZero();
    assertThat(small.a.lost).isZero();
  }

  @Test
  void shouldLoseWhoAsksForBytesThatItDidNotAskForBefore() {
    victim.send(9_000, CompletionLevel.MATCH);
    victim.flushIfNeeded();
    forge(
        packet -> {
          writer.clearToSend(packet, 1, 7, 9_000, 1_000, null);
          writer.clearToSend(packet, 1, 7, 500, 500, null);
        });

    assertLost("wanted=500 after 9000");
  }

  @Test
  void shouldLoseWhoHasBytesThatWereNotSent() {
    SimulatedSend send = victim.send(9_000, CompletionLevel.MATCH);
    victim.flushIfNeeded();
    forge(packet -> writer.finish(packet, 1, 0));

    assertLost("it has all bytes of message=1 that were not sent");
    assertThat(send.error).isEqualTo(FabricError.PROTOCOL);
  }
}
