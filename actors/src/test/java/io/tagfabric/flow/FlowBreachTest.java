package io.tagfabric.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.error.FabricError;
import io.tagfabric.wire.FrameBatch;
import io.tagfabric.wire.FrameWriter;
import io.tagfabric.wire.MessageView;
import java.util.Map;
import java.util.function.Consumer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** A peer that sends what it had no credit for loses its flow, and costs no memory. */
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
  private final MessageView message = new MessageView();
  private final UnsafeBuffer bytes = new UnsafeBuffer(new byte[2 * CREDIT_BYTES]);

  private void forge(Consumer<FrameBatch> frames) {
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
    victim.hear(packet);
    packet.release();
  }

  private MessageView message(int length) {
    message.show(0, bytes, 0, length);
    return message;
  }

  private void assertLost(String detail) {
    assertThat(victim.lost).isEqualTo(1);
    assertThat(victim.lostError).isEqualTo(FabricError.IO);
    assertThat(victim.lostDetail).contains("beyond the credit it was given", detail);
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

    assertLost("payloadBytes=10001");
  }
}
