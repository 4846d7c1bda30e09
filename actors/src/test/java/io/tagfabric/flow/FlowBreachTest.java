package io.tagfabric.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.error.FabricError;
import io.tagfabric.wire.FrameBatch;
import io.tagfabric.wire.FrameWriter;
import io.tagfabric.wire.MessageView;
import io.tagfabric.wire.sbe.PacketHeaderEncoder;
import java.util.Map;
import java.util.function.Consumer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** A peer that breaks the rules of a flow loses it, and costs no memory. */
class FlowBreachTest {
  private static final long MS = 1_000_000L;
  private static final int CREDIT_BYTES = 10_000;
  private static final int MESSAGES = 32;
  private static final long BUDGET_BYTES = 1 << 20;

  private final FlowPair pair =
      new FlowPair(
          new FlowSettings(
              new SizeClasses(1_000, 0, 128 * 1024, 8),
              Map.of(),
              CREDIT_BYTES,
              BUDGET_BYTES,
              MESSAGES,
              16,
              1 << 20,
              8,
              MS,
              100 * MS,
              8,
              30_000 * MS,
              20_000 * MS),
          true);
  private final FlowSide victim = pair.b;
  private final FrameWriter writer = new FrameWriter();
  private final PacketHeaderEncoder header = new PacketHeaderEncoder();
  private final MessageView message = new MessageView();
  private final UnsafeBuffer bytes = new UnsafeBuffer(new byte[2 * CREDIT_BYTES]);

  private void forge(Consumer<FrameBatch> frames) {
    forge(frames, packet -> {});
  }

  private void forge(Consumer<FrameBatch> frames, Consumer<FrameBatch> change) {
    FrameBatch packet = victim.pool.acquire(4_000);
    frames.accept(packet);
    writer
        .seal(packet)
        .incarnation(FlowSide.INCARNATION)
        .sequence(1)
        .highestSent(1)
        .acknowledged(0)
        .delivered(0)
        .grantedBytes(0)
        .grantedMessages(0)
        .isolation(5)
        .flow(0)
        .flags(0);
    change.accept(packet);
    victim.hear(packet);
    packet.release();
  }

  private MessageView message(int length) {
    message.show(0, bytes, 0, length);
    return message;
  }

  private void assertLost(String detail) {
    assertThat(victim.lost).isEqualTo(1);
    assertThat(victim.lostError).isEqualTo(FabricError.PROTOCOL);
    assertThat(victim.lostDetail).contains(detail);
    assertThat(victim.arrivals()).isZero();
    assertThat(victim.budget.freeBytes()).isEqualTo(BUDGET_BYTES);
  }

  @Test
  void shouldTakeNoMemoryForAMessageThatSaysItHasTwoGigabytes() {
    forge(packet -> writer.eagerFirst(packet, message(Integer.MAX_VALUE), 1, 8));

    assertLost("payloadBytes=2147483647");
  }

  @Test
  void shouldGiveBackWhatTheMessagesBeforeInThePacketHaveTaken() {
    forge(
        packet -> {
          writer.eager(packet, message(500));
          writer.eagerFirst(packet, message(CREDIT_BYTES - 499), 1, 8);
        });

    assertLost("arrivedBytes=500 of grantedBytes=10000");
  }

  @Test
  void shouldTakeNoMoreMessagesThanGranted() {
    forge(
        packet -> {
          for (int i = 0; i <= MESSAGES; i++) {
            writer.eager(packet, message(0));
          }
        });

    assertLost("arrivedMessages=32 of grantedMessages=32");
  }

  @Test
  void shouldTakeNoMoreRequestsThanGranted() {
    forge(
        packet -> {
          for (int i = 0; i <= MESSAGES; i++) {
            writer.requestToSend(packet, message(9), i + 1, false, null);
          }
        });

    assertLost("arrivedMessages=32 of grantedMessages=32");
  }

  @Test
  void shouldTakeNoMessageByItselfBeyondTheCredit() {
    victim.flow.onInjected(message(CREDIT_BYTES + 1));

    assertLost("payloadBytes=10001 is beyond the credit it was given");
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
        packet -> packet.buffer().putShort(second[0] + 2, (short) 999));

    assertLost("packet 1 does not follow the schema");
    assertThat(victim.flow.counters().snapshot().packetsMalformed()).isEqualTo(1);
  }

  @Test
  void shouldCompleteNoSendByAnAcknowledgementOfWhatWasNotSent() {
    SimulatedSend send = victim.send(10, CompletionLevel.TRANSMIT);
    victim.flushIfNeeded();
    forge(packet -> {}, packet -> header.wrap(packet.buffer(), 8).acknowledged(2));

    assertLost("acknowledged=2, delivered=0, highestSent=1");
    assertThat(send.completions).isZero();
    assertThat(send.error).isEqualTo(FabricError.PROTOCOL);
  }

  @Test
  void shouldCompleteNoSendByADeliveryOfWhatWasNotSent() {
    SimulatedSend send = victim.send(10, CompletionLevel.DELIVERY);
    victim.flushIfNeeded();
    forge(packet -> {}, packet -> header.wrap(packet.buffer(), 8).acknowledged(1).delivered(7));

    assertLost("acknowledged=1, delivered=7, highestSent=1");
    assertThat(send.error).isEqualTo(FabricError.PROTOCOL);
  }
}
