package io.tagfabric.flow.send;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.wire.FrameWriter;
import io.tagfabric.wire.PacketPool;
import io.tagfabric.wire.sbe.PacketHeaderDecoder;
import io.tagfabric.wire.sbe.PacketHeaderEncoder;
import org.agrona.MutableDirectBuffer;
import org.junit.jupiter.api.Test;

class SendCreditTest {
  private final SendCredit credit = new SendCredit();

  private boolean take(long bytes, long messages, long replies) {
    MutableDirectBuffer buffer =
        new FrameWriter()
            .seal(new PacketPool(512, 512).acquire(0))
            .grantedBytes((int) bytes)
            .grantedMessages((int) messages)
            .grantedReplies((int) replies)
            .buffer();
    return credit.take(
        new PacketHeaderDecoder()
            .wrap(buffer, 8, PacketHeaderEncoder.BLOCK_LENGTH, PacketHeaderEncoder.SCHEMA_VERSION));
  }

  @Test
  void shouldHaveNothingBeforeAnythingIsGranted() {
    assertThat(credit.hasMessage()).isFalse();
    assertThat(credit.hasReply()).isFalse();
    assertThat(credit.hasBytes(0)).isTrue();
    assertThat(credit.hasBytes(1)).isFalse();
  }

  @Test
  void shouldLastForExactlyWhatWasGranted() {
    take(100, 2, 1);

    assertThat(credit.hasBytes(100)).isTrue();
    assertThat(credit.hasBytes(101)).isFalse();
    credit.useMessage(60);
    assertThat(credit.hasBytes(40)).isTrue();
    assertThat(credit.hasBytes(41)).isFalse();
    assertThat(credit.hasMessage()).isTrue();
    credit.useMessage(0);
    assertThat(credit.hasMessage()).isFalse();
    assertThat(credit.hasReply()).as("replies have a credit of their own").isTrue();
    credit.useReply();
    assertThat(credit.hasReply()).isFalse();
  }

  @Test
  void shouldSayOfEachKindWhetherItIsMore() {
    assertThat(take(10, 10, 10)).isTrue();
    assertThat(take(10, 10, 10)).as("the same again").isFalse();
    assertThat(take(11, 10, 10)).isTrue();
    assertThat(take(11, 11, 10)).isTrue();
    assertThat(take(11, 11, 11)).isTrue();
    assertThat(take(11, 11, 11)).isFalse();
  }

  @Test
  void shouldKeepTheMostWhenAnOldHeaderComesLate() {
    take(50, 5, 5);

    assertThat(take(40, 4, 4)).isFalse();
    assertThat(credit.hasBytes(50)).isTrue();
    assertThat(take(40, 6, 4)).isTrue();
    assertThat(credit.hasBytes(50)).isTrue();
    for (int i = 0; i < 6; i++) {
      assertThat(credit.hasMessage()).isTrue();
      credit.useMessage(0);
    }
    assertThat(credit.hasMessage()).isFalse();
  }

  /** Headers carry the low halves of totals that outgrow them. */
  @Test
  void shouldGoOnWhereTheTotalsLeaveThirtyTwoBits() {
    long step = 1L << 30;
    long granted = 0;
    for (int i = 0; i < 9; i++) {
      granted += step;
      assertThat(take(granted, granted, granted)).isTrue();
      assertThat(take(granted, granted, granted)).isFalse();
      assertThat(take(granted - step, granted - step, granted - step)).as("late").isFalse();
    }

    assertThat(credit.bytesLeft()).isEqualTo(granted);
    assertThat(credit.messagesLeft()).isEqualTo(granted);
  }
}
